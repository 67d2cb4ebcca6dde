import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

// MARK: Tasks

@MainActor private final class PausableUpload {
  func start(_ completion: @escaping @MainActor () -> Void) {}
  func pause() {}
  func finish() async throws {}
}

@MainActor private final class Store {
  func save() async {}
}

@MainActor
private func taskSamples(
  _ host: InMemoryBackgroundTaskHost,
  _ upload: PausableUpload,
  in scope: LifecycleScope
) async throws {
  #if os(macOS) || !canImport(Darwin)
    do {
      let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
      let copies = BackgroundTaskCoordinator(host: .process(grace: .seconds(20), delaying: .end))
      _ = (tasks, copies)
    }
  #endif
  do {
    let task = BackgroundTaskCoordinator.application.beginTask(named: "upload") { upload.pause() }
    task.end()
  }
  let tasks = BackgroundTaskCoordinator(host: host)
  let task = tasks.beginTask(named: "upload") { upload.pause() }
  upload.start { task.end() }
  tasks.beginTask(named: "upload", in: scope) { upload.pause() }
  try await withBackgroundTask(named: "upload") {
    try await upload.finish()
  }
}

@MainActor private func leavingSample(_ bus: LifecycleBus, in scope: LifecycleScope, store: Store) {
  bus.addObserver(for: .didEnterBackground, in: scope) { _ in
    startBackgroundTask(named: "save") { await store.save() }
  }
}

// MARK: Fetches

private struct Inbox: Sendable {
  func refresh() async throws -> Bool { true }
}

private func trace(_ line: String) {}

@MainActor
private func fetchSamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  inbox: Inbox
) async {
  let fetches = BackgroundFetchCoordinator(of: bus)
  fetches.addHandler(named: "inbox", in: scope) {
    try await inbox.refresh() ? .newData : .noData
  }
  do {
    let report = await fetches.performFetch(deadline: .seconds(30))
    for handler in report.handlers { trace("\(handler.name): \(handler.result.fetchResult)") }
  }
  fetches.reports
    .sink { trace("fetch \($0.number): \($0.result)") }
    .store(in: scope)
  do {
    let registration: LifecycleCancellable
    registration = fetches.addHandler(named: "inbox") {
      try await inbox.refresh() ? .newData : .noData
    }
    registration.cancel()
  }
}

@MainActor
private func shortestFetchSample(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  inbox: Inbox
) async {
  let fetches = BackgroundFetchCoordinator(of: bus)
  fetches.addHandler(named: "inbox", in: scope) {
    try await inbox.refresh() ? .newData : .noData
  }
  let report = await fetches.performFetch(deadline: .seconds(30))
  _ = report
}

private func errorSample(_ error: any Error) {
  switch error {
  case BackgroundFetchError.deadlineMissed: trace("too slow")
  default: trace("\(error)")
  }
}

@MainActor
private func hostSamples(
  _ bus: LifecycleBus,
  _ fetches: BackgroundFetchCoordinator,
  _ host: InMemoryBackgroundFetchHost,
  in scope: LifecycleScope
) {
  do {
    fetches.connect(host).store(in: scope)
    fetches.setMinimumInterval(.seconds(900))
  }
  let scheduler = BackgroundFetchScheduler(of: bus)
  fetches.connect(scheduler).store(in: scope)
  fetches.setMinimumInterval(.seconds(900))
}

// MARK: Deferred work and duty cycles

@MainActor
private func deferredWorkSamples(
  _ bus: LifecycleBus,
  _ fetches: BackgroundFetchCoordinator,
  in scope: LifecycleScope,
  tasks: BackgroundTaskCoordinator,
  makeThumbnails: @escaping @MainActor () async throws -> Void,
  log: @escaping @Sendable (DeferredWorkQueue.JobReport) -> Void
) async {
  let deferred: DeferredWorkQueue
  deferred = DeferredWorkQueue(of: bus, tasks: tasks) { report in log(report) }
  deferred.enqueue("thumbnails") { try await makeThumbnails() }
  await deferred.runJobs()
  fetches.addHandler(named: "deferred work", in: scope) {
    await deferred.runJobs()
    return .noData
  }
}

private struct Location {
  let updates = PassthroughSubject<String, Never>()
  let coarseUpdates = PassthroughSubject<String, Never>()
}

private func remind(of place: String) {}
private func show(_ position: String) {}

@MainActor
private func dutyCycleSamples(
  _ bus: LifecycleBus,
  _ location: Location,
  _ positions: PassthroughSubject<String, Never>,
  tasks: BackgroundTaskCoordinator,
  in scope: LifecycleScope
) {
  let cycle = DutyCycle(burst: 10, rest: .seconds(20))
  location.updates.dutyCycle(cycle, of: bus, tasks: tasks)
    .sink { place in remind(of: place) }
    .store(in: scope)

  let track = DutyCycle(burst: 10, rest: .seconds(180))
  location.updates.dutyCycle(track, of: bus, tasks: tasks, resting: location.coarseUpdates)
    .sink { place in remind(of: place) }
    .store(in: scope)

  let coarse = location.coarseUpdates.share()
  coarse.sink { _ in }.store(in: scope)
  location.updates.dutyCycle(track, of: bus, tasks: tasks, resting: coarse)
    .sink { place in remind(of: place) }
    .store(in: scope)

  let meter = DutyCycleMeter()
  positions.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
    .sink { position in show(position) }
    .store(in: scope)
}

@MainActor
private func taskHostInTests() -> BackgroundTaskCoordinator {
  let lifecycle = ScriptedLifecycle()
  let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost(clock: lifecycle.clock))
  return tasks
}

import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleJournaling
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle

/// What the samples fetch.
final class SampleInbox: Sendable {
  func refresh() async throws -> Bool { true }
}

/// What the samples fetch with a completion.
final class SampleNews: Sendable {
  struct Download: Sendable {
    func cancel() {}
  }

  @discardableResult
  func download(_ completion: @escaping @Sendable (Bool) -> Void) -> Download {
    completion(false)
    return Download()
  }
}

/// Handlers in a scope; returns what was traced.
@MainActor
func fetchedInScope() async -> [String] {
  let bus = LifecycleBus(clock: ManualClock())
  let scope = LifecycleScope("application")
  let inbox = SampleInbox()
  let news = SampleNews()
  var lines: [String] = []
  func trace(_ line: String) { lines.append(line) }

  let fetches = BackgroundFetchCoordinator(of: bus)
  fetches.addHandler(named: "inbox", in: scope) {
    try await inbox.refresh() ? .newData : .noData
  }
  fetches.addHandler(named: "news", in: scope) { completion in
    let download = news.download { isNew in completion(isNew ? .newData : .noData) }
    completion.onCancel { download.cancel() }
  }
  fetches.reports
    .sink { trace("fetch \($0.number): \($0.result)") }
    .store(in: scope)
  let report = await fetches.performFetch(deadline: .seconds(30))
  for handler in report.handlers { trace("\(handler.name): \(handler.outcome.result)") }
  withExtendedLifetime(bus) {}
  return lines
}

/// The shortest use; returns what was found.
@MainActor
func fetchedOnce(on bus: LifecycleBus, in scope: LifecycleScope) async -> BackgroundFetchResult {
  let inbox = SampleInbox()
  let fetches = BackgroundFetchCoordinator(of: bus)
  fetches.addHandler(named: "inbox", in: scope) {
    try await inbox.refresh() ? .newData : .noData
  }
  let report = await fetches.performFetch(deadline: .seconds(30))
  return report.result
}

/// Returns the texts of the errors.
func fetchErrors(_ errors: [any Error]) -> [String] {
  var lines: [String] = []
  func trace(_ line: String) { lines.append(line) }
  for error in errors {
    switch error {
    case BackgroundFetchError.deadlineMissed: trace("too slow")
    default: trace("\(error)")
    }
  }
  return lines
}

/// Handlers without a scope; returns the names of those that took part in two fetches.
@MainActor
func fetchedWithRegistrations() async -> [[String]] {
  let bus = LifecycleBus(clock: ManualClock())
  let fetches = BackgroundFetchCoordinator(of: bus)
  let inbox = SampleInbox()
  let news = SampleNews()
  var names: [[String]] = []
  do {
    let registration = fetches.addHandler(named: "inbox") {
      try await inbox.refresh() ? .newData : .noData
    }
    names.append(await fetches.performFetch().handlers.map(\.name))
    registration.cancel()
  }
  do {
    let registration = fetches.addHandler(named: "news") { completion in
      news.download { isNew in completion(isNew ? .newData : .noData) }
    }
    names.append(await fetches.performFetch().handlers.map(\.name))
    registration.cancel()
  }
  do {
    let registration = fetches.addHandler(named: "inbox") { .newData }
    registration.cancel()
  }
  withExtendedLifetime(bus) {}
  return names
}

/// A host in a test; returns what it was asked for.
@MainActor
func connectedFetchHost() async -> [InMemoryBackgroundFetchHost.Operation] {
  let bus = LifecycleBus(clock: ManualClock())
  let host = InMemoryBackgroundFetchHost()
  let fetches = BackgroundFetchCoordinator(of: bus)
  let connection = fetches.connect(host)
  fetches.setMinimumInterval(.after(.seconds(900)))
  _ = await host.fetch()
  withExtendedLifetime((bus, connection)) {}
  return host.operations
}

/// A scheduler that keeps the time of the last fetch in a journal; returns how many fetches there were
/// in an hour.
@MainActor
func scheduledFetches(in path: String) throws -> Int {
  let clock = ManualClock()
  let bus = LifecycleBus(clock: clock)
  let journal = try LifecycleJournal(at: path, of: bus)
  let fetches = BackgroundFetchCoordinator(of: bus)
  var count = 0
  let counter = bus.addObserver(for: .backgroundFetchDidComplete) { _ in count += 1 }
  let store = BackgroundFetchStore(
    load: { try? journal.value(BackgroundFetchRecord.self, forKey: "fetch") },
    save: { try? journal.set($0, forKey: "fetch") }
  )
  let scheduler = BackgroundFetchScheduler(of: bus, store: store)
  let connection = fetches.connect(scheduler)
  fetches.setMinimumInterval(.after(.seconds(900)))
  bus.send(.didEnterBackground)
  clock.advance(by: .seconds(3600))
  withExtendedLifetime((counter, connection)) {}
  return count
}

/// What an application's delegate and a session's delegate do.
@MainActor
func finishedSession(_ identifier: String, completionHandler: @escaping () -> Void) {
  let events = BackgroundSessionEvents()
  events.handleEvents(forSession: identifier, completionHandler: completionHandler)
  // In the session's delegate, in urlSessionDidFinishEvents(forBackgroundURLSession:):
  events.didFinishEvents(forSession: identifier)
}

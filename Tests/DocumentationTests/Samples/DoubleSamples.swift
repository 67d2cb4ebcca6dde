import LifecycleBackgroundWork
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle

/// A journal in the system's file system; how the run before ended.
func systemFileSystemSample(path: String) throws -> LifecycleJournal.PreviousExit {
  let bus = NonisolatedLifecycleBus(clock: ManualClock())
  let journal = try LifecycleJournal(at: path, of: bus, fileSystem: .system)
  return journal.previousRun.exit
}

/// How a run ended that was cut off, and one whose file was damaged then.
func inMemoryFileSystemSample() throws -> [LifecycleJournal.PreviousExit] {
  let bus = NonisolatedLifecycleBus(clock: ManualClock())
  let files = InMemoryFileSystem()
  let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  bus.send(.didBecomeActive)
  files.cutPower()
  let next = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  // next.previousRun.exit == .killedInForeground
  withExtendedLifetime((journal, next)) { damage(files) }
  let last = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  return [next.previousRun.exit, last.previousRun.exit]
}

private func damage(_ files: InMemoryFileSystem) {
  files.cutPower()
  var bytes = files.contents(of: "/state")!
  bytes[50] ^= 1
  files.setContents(bytes, of: "/state")
}

// MARK: Background tasks

@MainActor private final class Upload {
  private let host: any BackgroundTaskHost
  private var task: BackgroundTaskID?

  init(_ host: any BackgroundTaskHost) { self.host = host }

  func start() {
    task = host.beginTask(named: "upload") { self.stop() }
  }

  func stop() {
    if let task = task.take() { host.endTask(task) }
  }
}

/// What a host has seen of an upload that takes too long.
@MainActor
func backgroundTaskSample() -> [InMemoryBackgroundTaskHost.Operation] {
  let clock = ManualClock()
  let host = InMemoryBackgroundTaskHost(clock: clock)
  let upload = Upload(host)
  upload.start()
  clock.advance(by: .seconds(30))
  // host.operations == [.began("upload"), .expired("upload"), .ended("upload")]
  return host.operations
}

// MARK: Background fetches

private final class Feed: Sendable {
  init(_ host: any BackgroundFetchHost) {
    let feed = self
    host.setMinimumInterval(.seconds(900))
    host.setFetchHandler { request in
      feed.refresh { isNew in request.complete(isNew ? .newData : .noData) }
    }
  }

  private func refresh(_ completion: (Bool) -> Void) { completion(true) }
}

/// What a host has seen of a fetch.
func backgroundFetchSample() async -> [InMemoryBackgroundFetchHost.Operation] {
  let host = InMemoryBackgroundFetchHost()
  let feed = Feed(host)
  let result = await host.fetch()
  // host.operations == [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
  return withExtendedLifetime(feed) { result == .newData ? host.operations : [] }
}

private final class Download: Sendable {
  private let completion: @Sendable (BackgroundFetchResult) -> Void

  init(_ completion: @escaping @Sendable (BackgroundFetchResult) -> Void) {
    self.completion = completion
  }

  func cancel() { completion(.failed) }
}

/// What a host has seen of a fetch that was stopped.
func expiringFetchSample() -> [InMemoryBackgroundFetchHost.Operation] {
  let host = InMemoryBackgroundFetchHost()
  @Sendable func startDownload(
    _ completion: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) -> Download { Download(completion) }
  host.setFetchHandler { request in
    let download = startDownload { request.complete($0) }
    request.onExpiration { download.cancel() }
  }
  host.beginFetch()
  host.expire()
  return host.operations
}

// MARK: What is not used

/// A model that uses none of what it is given.
private final class TimerModel {
  private(set) var isStarted = false

  init(on bus: LifecycleBus, fileSystem: JournalFileSystem) {}
  init(on bus: LifecycleBus, _ host: some BackgroundTaskHost) {}
  init(on bus: LifecycleBus, _ host: some BackgroundFetchHost) {}

  func start() { isStarted = true }
}

/// How many of the models were started, none of which uses what it must not.
@MainActor
func unimplementedSamples() -> Int {
  let bus = LifecycleBus(clock: ManualClock())
  return [unusedFileSystem(bus), unusedTaskHost(bus), unusedFetchHost(bus)].count { $0.isStarted }
}

private func unusedFileSystem(_ bus: LifecycleBus) -> TimerModel {
  let model = TimerModel(on: bus, fileSystem: .unimplemented())  // the test fails here …
  model.start()  // … if this opens a journal
  return model
}

private func unusedTaskHost(_ bus: LifecycleBus) -> TimerModel {
  let host = UnimplementedBackgroundTaskHost()  // the test fails here …
  let model = TimerModel(on: bus, host)
  model.start()  // … if this begins a background task
  return model
}

private func unusedFetchHost(_ bus: LifecycleBus) -> TimerModel {
  let host = UnimplementedBackgroundFetchHost()  // the test fails here …
  let model = TimerModel(on: bus, host)
  model.start()  // … if this sets an interval
  return model
}

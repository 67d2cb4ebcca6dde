import LifecycleBackgroundWork
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle

func inMemoryFileSystemSample(print: Printer) throws {
  let bus = NonisolatedLifecycleBus(clock: ManualClock())
  let journal: LifecycleJournal
  let files = InMemoryFileSystem()
  journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  bus.send(.didBecomeActive)
  files.cutPower()
  let next = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  // next.previousRun.exit == .killedInForeground
  print(next.previousRun.exit)
  withExtendedLifetime(journal) {}
}

private func fileSystemSamples(
  _ bus: NonisolatedLifecycleBus,
  path: String
) throws {
  let journal: LifecycleJournal
  journal = try LifecycleJournal(at: path, of: bus, fileSystem: .system)
  _ = journal
}

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

@MainActor
func taskHostSample(print: Printer) {
  let clock = ManualClock()
  let host = InMemoryBackgroundTaskHost(clock: clock)
  let upload = Upload(host)
  upload.start()
  clock.advance(by: .seconds(30))
  // host.operations == [.began("upload"), .expired("upload"), .ended("upload")]
  print(host.operations == [.began("upload"), .expired("upload"), .ended("upload")])
}

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

func fetchHostSample(print: Printer) async {
  let host = InMemoryBackgroundFetchHost()
  let feed = Feed(host)
  let result = await host.fetch()
  // host.operations == [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
  print(
    host.operations == [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
  )
  _ = (feed, result)
}

private struct Download: Sendable {
  func cancel() {}
}

private func expirationSample(
  _ host: InMemoryBackgroundFetchHost,
  startDownload: @escaping @Sendable (@escaping (BackgroundFetchResult) -> Void) -> Download
) {
  host.setFetchHandler { request in
    let download = startDownload { request.complete($0) }
    request.onExpiration { download.cancel() }
  }
}

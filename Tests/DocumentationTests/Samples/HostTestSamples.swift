import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of hosts run")
@MainActor
struct HostSampleRuns {
  @Test("An upload is cancelled when its time is up")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func timeIsUp() async throws {
    let clock = ManualClock()
    let tasks = BackgroundTaskCoordinator(host: FixedTimeHost(time: .seconds(30), clock: clock))
    let upload = Task {
      try await withBackgroundTask(named: "upload", tasks: tasks) {
        try await Task.sleep(for: .seconds(60), clock: clock)
      }
    }
    try await clock.waitForSleepers()
    #expect(tasks.grantedTasks == ["upload"])
    clock.advance(by: .seconds(30))
    await #expect(throws: CancellationError.self) { try await upload.value }
    #expect(tasks.grantedTasks.isEmpty)
  }

  @Test("Time runs from the beginning of a task to its end")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func remainingTime() throws {
    let clock = ManualClock()
    let host = FixedTimeHost(time: .seconds(30), clock: clock)
    let task = try #require(host.beginTask(named: "upload") {})
    clock.advance(by: .seconds(10))
    #expect(host.remainingTime == .seconds(20))
    host.endTask(task)
    #expect(host.remainingTime == .seconds(30))
  }

  @Test("A message leads to a fetch, unless it comes too early")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func messages() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let host = PushFetchHost(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus)
    let registration = fetches.addHandler(named: "inbox") { .newData }
    let connection = fetches.connect(host)
    #expect(await host.result() == .noData)
    fetches.setMinimumInterval(.seconds(900))
    #expect(await host.result() == .newData)
    #expect(await host.result() == .noData)
    clock.advance(by: .seconds(900))
    #expect(await host.result() == .newData)
    connection.cancel()
    registration.cancel()
    withExtendedLifetime((bus, fetches)) {}
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PushFetchHost {
  fileprivate func result() async -> BackgroundFetchResult {
    await withCheckedContinuation { continuation in
      didReceiveMessage { continuation.resume(returning: $0) }
    }
  }
}

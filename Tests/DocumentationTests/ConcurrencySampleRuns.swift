import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of concurrency run")
@MainActor
struct ConcurrencySampleRuns {
  private let samples = ConcurrencySurroundings()
  private let bus = LifecycleBus(clock: ManualClock())

  /// What parts have said, in order, and a way to await the next line.
  private final class PartLog: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var part: ConcurrencySurroundings.Part {
      ConcurrencySurroundings.Part { [continuation] in continuation.yield($0) }
    }

    func next() async -> String? {
      for await line in stream { return line }
      return nil
    }
  }

  @Test("A loop gets every event")
  func loopGetsEveryEvent() async {
    let task = Task { await samples.loop(bus) }
    // The sequence is made in the task's first turn, which comes before the next one of this test.
    await Task { @MainActor in }.value
    bus.send(.willTerminate)
    await task.value
    expectNoDifference(samples.output, ["willTerminate"])
  }

  @Test("Waiting for a phase")
  func waitingForAPhase() async throws {
    bus.send(.didBecomeActive)
    try await samples.wait(bus)
    expectNoDifference(samples.output, ["active", "background"])
    bus.send(.didBecomeActive)
    let returned: Void? = try await samples.waitWeakly(bus).value
    #expect(returned != nil)
  }

  @Test("Sending from an observer prints what the article shows")
  func sendingFromAnObserver() throws {
    let scope = LifecycleScope()
    samples.sendFromObserver(bus, in: scope)
    scope.end()
    let blocks = try textBlocks(of: "WhereObserversRun")
    #expect(blocks.contains(samples.output), "\(samples.output)")
  }

  @Test("Waiting for a bus that has ended")
  func waitingForAnEndedBus() async throws {
    bus.send(.willTerminate)
    try await samples.ended(bus)
    expectNoDifference(samples.output.first?.hasPrefix("The lifecycle bus ended before"), true)
  }

  @Test("Perform when")
  func performWhen() async throws {
    let log = PartLog()
    bus.send(.didBecomeActive)
    try await samples.performInSight(bus)
    expectNoDifference(samples.output, ["600"])
    bus.send(.didEnterBackground)
    try await samples.performOutOfSight(bus, log.part)
    let line = await log.next()
    expectNoDifference(line, "saved")
  }

  @Test("Again and again")
  func runningAgainAndAgain() async throws {
    let log = PartLog()
    bus.send(.didBecomeActive)
    async let recording: Void = samples.recording(bus, log.part)
    let first = await log.next()
    expectNoDifference(first, "recording")
    bus.send(.didEnterBackground)
    let released = await log.next()
    expectNoDifference(released, "released")
    async let shrinking: Void = samples.whileOutOfSight(bus, log.part)
    let second = await log.next()
    expectNoDifference(second, "shrunk")
    bus.send(.didBecomeActive)
    let third = await log.next()
    expectNoDifference(third, "recording")
    bus.send(.willTerminate)
    _ = try await (recording, shrinking)
    let releasedAtTheEnd = await log.next()
    expectNoDifference(releasedAtTheEnd, "released")
  }

  @Test("While active")
  func whileActive() async throws {
    bus.send(.didBecomeActive)
    let task = Task { try await samples.whileActive(bus) }
    for await _ in samples.shown.stream where samples.output.count == 2 { break }
    bus.send(.willTerminate)
    try await task.value
    expectNoDifference(samples.output, ["showing 20", "showing 21"])
  }

  @Test("A server")
  func serverObservesAndWaits() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let log = PartLog()
    let server = ConcurrencyServer(server: log.part)
    bus.send(.didFinishLaunching)
    #expect(try await server.port(bus) == 80)
    try await server.flush(bus)
    let first = await log.next()
    expectNoDifference(first, "flushed")
    async let accepting: Void = server.whileRunning(bus)
    let second = await log.next()
    expectNoDifference(second, "accepting")
    async let compacting: Void = server.whileIdle(bus)
    let third = await log.next()
    expectNoDifference(third, "compacted")
    bus.send(.willTerminate)
    _ = try await (accepting, compacting)
  }
}

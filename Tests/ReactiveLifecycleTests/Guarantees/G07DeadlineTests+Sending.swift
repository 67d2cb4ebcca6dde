import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension G07DeadlineTests {
  /// Far enough that only a fault reaches it.
  private nonisolated static var farAway: ContinuousClock.Instant { .now + .seconds(86_400) }

  @Test("Inside an observer of a LifecycleBus it returns at once, and names that observer")
  func insideAnObserver() throws {
    let bus = LifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let token = bus.addObserver(fileID: "App/Screen.swift", line: 12) { event in
      trace(event.shortLine)
      guard event.kind == .systemWillSleep else { return }
      trace("\(source.input.sendAndWait(.systemDidWake, until: Self.farAway))")
    }
    bus.send(.systemWillSleep)
    expectNoDifference(
      trace.lines,
      ["1 systemWillSleep", "timed out (running: App/Screen.swift:12)", "2 systemDidWake"]
    )
    token.cancel()
    connection.cancel()
  }

  @Test(
    "The event has the instant and the metadata; without an instant it happens now",
    arguments: BusKind.allCases
  )
  func instantAndMetadata(_ kind: BusKind) async throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let source = TestSource()
    let connection = try bus.connect(source)
    let events = Collector<LifecycleEvent>()
    let token = bus.addObserver { events($0) }
    let early = clock.now
    clock.advance(by: .seconds(5))
    let send: @Sendable () -> Void = {
      let outcomes = [
        source.input.sendAndWait(
          .systemWillSleep,
          at: early,
          metadata: ["reason": "lid"],
          until: Self.farAway
        ),
        source.input.sendAndWait(.systemDidWake, until: Self.farAway),
      ]
      #expect(outcomes == [.finished, .finished])
    }
    send()
    await awaitOtherThread(send)
    expectNoDifference(events.values.map(\.instant), [early, clock.now, early, clock.now])
    expectNoDifference(
      events.values.map(\.metadata),
      [["reason": "lid"], [:], ["reason": "lid"], [:]]
    )
    token.cancel()
    connection.cancel()
  }
}

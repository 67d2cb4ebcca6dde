import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("The connection of a bus to the engine")
struct SignalConnectionTests {
  @Test("A connection that fails is not waited for, and its bus receives nothing")
  func failure() throws {
    let bus = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus)
    let end = SignalAnnouncement(
      .termination,
      signal: .terminate,
      moment: .now,
      timeout: .seconds(3600)
    )
    end.expect(connection)
    connection.begin(end)
    expectNoDifference(end.late.count, 1)
    connection.abandon()
    #expect(end.late.isEmpty)
    #expect(!end.isAccepted)
    expectNoDifference(bus.phase, .unknown)
    token.cancel()
  }

  @Test("A bus that has a phase is brought to the background if the process is there")
  func reportOfBackground() throws {
    let bus = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus)
    bus.send(.didBecomeActive)
    connection.report(.background)
    expectNoDifference(bus.phase, .background)
    token.cancel()
  }

  @Test(
    "A request to reload is accepted by a bus that has ended, and not by one that was released",
    arguments: [true, false]
  )
  func reload(hasEnded: Bool) throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus!)
    if hasEnded { bus!.send(.willTerminate) }
    connection.report(.foreground)
    bus = nil
    let request = SignalAnnouncement(.reload, signal: .hangUp, moment: .now, timeout: nil)
    connection.begin(request)
    expectNoDifference(request.isAccepted, hasEnded)
    token.cancel()
  }

  #if os(Linux)
    @Test("The thread takes the signals of a second connection, wherever it is in its turn")
    func secondConnection() async {
      // In a process of its own: others of this one connect its signals.
      await #expect(processExitsWith: .success) {
        for round in 1...2_000 {
          let buses = (NonisolatedLifecycleBus(), NonisolatedLifecycleBus())
          let first = try buses.0.connect(.processSignals(taking: .terminate))
          for _ in 0..<round % 200 { _ = SuspendingClock.now }
          let second = try buses.1.connect(.processSignals(taking: .jobControl))
          let isTaken = eventually {
            ThreadStatus.waiting(of: getpid()).map { $0.blocked & JobControlSignal.stop.bit == 0 }
              == true
          }
          try #require(isTaken, "round \(round)")
          first.cancel()
          second.cancel()
        }
      }
    }
  #endif

  @Test("On a bus with another clock, an event has that clock's instant, not the signal's")
  func manualClock() async throws {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let (connection, token) = try makeConnection(to: bus)
    let events = Collector<LifecycleEvent>()
    let scope = LifecycleScope("test")
    bus.addObserver(in: scope) { events($0) }
    connection.report(.foreground)
    clock.advance(by: .seconds(2))
    connection.begin(
      SignalAnnouncement(.background, signal: nil, moment: .now, timeout: .seconds(3600))
    )
    #expect(await eventually { events.values.last?.kind == .didEnterBackground })
    expectNoDifference(events.values.last?.instant, clock.now)
    scope.end()
    token.cancel()
  }
}

/// Makes a connection that feeds the bus, without an engine. The second value disconnects it.
func makeConnection(
  to bus: NonisolatedLifecycleBus
) throws -> (SignalConnection, LifecycleCancellable) {
  let source = FeedSource("test")
  let token = try bus.connect(source)
  return (SignalConnection(source: .processSignals(), input: source.feed), token)
}

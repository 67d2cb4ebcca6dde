import CustomDump
import LifecycleCore
import LifecycleProcess
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleSystem

/// The watches of a machine that sleeps, whose clocks are virtual.
@Suite("Sleep of the machine")
struct SleepTests {
  private struct Clocks {
    var suspending = SuspendingClock.now
    var reading = ClockReading(
      moment: SignalMoment(continuous: 0, suspending: 0, wall: 0),
      width: 0
    )

    /// Time passes, and the machine sleeps for a part of it.
    mutating func advance(bySeconds seconds: Int64, asleep: Int64 = 0) {
      suspending += .seconds(seconds - asleep)
      reading.moment.continuous += 1_000_000_000 * seconds
      reading.moment.suspending += 1_000_000_000 * (seconds - asleep)
      reading.moment.wall += 1_000_000_000 * seconds
    }
  }

  @Test("Five seconds asleep: the machine woke up after that time, and the process was not paused")
  func fiveSeconds() async throws {
    let clocks = Locked(Clocks())
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource("system")
    let connection = try bus.connect(source)
    let sequence = bus.events.asyncSequence()
    let pauses = try PauseWatch(heartbeat: .seconds(2), source.feed) {
      clocks.withLock { $0.suspending }
    }
    let changes = try ClockWatch(source.feed) { clocks.withLock { $0.reading } }
    clocks.withLock { $0.advance(bySeconds: 7, asleep: 5) }
    pauses.handle(.deadline)
    changes.handle(.ready(0))
    // A pause that was noticed would be one by now.
    clocks.withLock { $0.advance(bySeconds: 1) }
    pauses.handle(.deadline)
    bus.send(.willTerminate)
    var events: [LifecycleEvent] = []
    for await event in sequence { events.append(event) }
    changes.close()
    pauses.close()
    connection.cancel()
    expectNoDifference(events.map(\.kind), [.systemDidWake, .willTerminate])
    expectNoDifference(events.map(\.timeAsleep), [.seconds(5), nil])
  }
}

@Suite("Connecting all sources of the system")
struct ConnectSystemTests {
  @Test("connectSystem connects three sources until the scope ends, and returns their availability")
  @MainActor func untilScopeEnds() throws {
    let bus = LifecycleBus(clock: ManualClock())
    let scope = LifecycleScope("system")
    let connections = try bus.connectSystem(in: scope, heartbeat: .seconds(3_600))
    let names: [LifecycleSourceName] = ["systemClock", "processPauses", "memoryPressure"]
    expectNoDifference(connections.entries.map(\.source), names)
    func connected() -> [LifecycleEvent.Origin] {
      bus.diagnostics.participants.flatMap(\.sources).map(\.origin)
    }
    expectNoDifference(connected(), names.map { .source($0) })
    expectNoDifference(
      connections.entries.map(\.availability).first,
      .available(by: "a timer of the kernel")
    )
    scope.end()
    expectNoDifference(connected(), [])
  }
}

import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Connecting, sending and disconnecting from inside observers.
@MainActor
@Suite("Several sources: from inside observers")
struct SourcesInsideObserversTests {
  /// What a test's closures share.
  private final class Held: Sendable {
    let connections = Locked<[LifecycleCancellable]>([])

    func cancelAll() {
      for connection in connections.withLock({ $0 }) { connection.cancel() }
    }
  }

  @Test(
    "A ceiling connected by an observer holds what is accepted after it",
    arguments: BusKind.allCases
  )
  func ceilingConnectedByObserverHoldsWhatFollows(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let held = Held()
    let token = bus.addObserver { [unowned bus] event in
      trace(event.line)
      guard event.kind == .willEnterForeground, event.sequenceNumber == 2 else { return }
      let lock = TestSource("lock")
      let connection = try? bus.connect(lock, as: .ceiling)
      held.connections.withLock { $0.append(connection!) }
      trace("lock: \(lock.input.send(.didFinishLaunching).line)")
      trace("own: \(bus.send(.willResignActive).line)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.take(),
      [
        "1 didFinishLaunching unknown→background synthesized",
        "2 willEnterForeground background→inactive synthesized",
        "lock: queued",
        "own: suppressed masked",
        "3 didBecomeActive inactive→active manual",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
      ]
    )
    held.cancelAll()
    // The program itself had gone back to `inactive` behind the ceiling.
    expectNoDifference(trace.lines, ["6 willEnterForeground background→inactive synthesized"])
    token.cancel()
  }

  @Test(
    "A source cancelled by an observer moves the bus after the event in delivery",
    arguments: BusKind.allCases
  )
  func sourceCancelledByObserverMovesBusAfterEvent(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let held = Held()
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    held.connections.withLock { $0.append(connection) }
    lock.input.send(.didFinishLaunching)
    bus.send(.didBecomeActive)
    let tokens = ["first", "second"].map { name in
      bus.addObserver { event in
        trace("\(name) \(event.line) @\(event.instant.continuous.timeSinceBoot.components.seconds)")
        guard event.kind == .systemDidWake, name == "first" else { return }
        clock.advance(by: .seconds(5))
        held.cancelAll()
        trace("phase accepted, lock: \(lock.input.send(.didEnterBackground).line)")
      }
    }
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.lines,
      [
        "first 2 systemDidWake background→background manual @3600",
        "phase accepted, lock: suppressed disconnected",
        "second 2 systemDidWake background→background manual @3600",
        "first 3 willEnterForeground background→inactive synthesized @3605",
        "second 3 willEnterForeground background→inactive synthesized @3605",
        "first 4 didBecomeActive inactive→active synthesized @3605",
        "second 4 didBecomeActive inactive→active synthesized @3605",
      ]
    )
    for token in tokens { token.cancel() }
  }

  @Test("A source's input sent by an observer waits for its turn", arguments: BusKind.allCases)
  func inputSentByAnObserverWaits(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let window = TestSource("window")
    let connection = try bus.connect(window, as: .participant("window"))
    let token = bus.addObserver { event in
      trace(event.line)
      guard event.kind == .didFinishLaunching else { return }
      trace(window.input.send(.didBecomeActive).line)
      trace(window.input.send(.didBecomeActive).line)
      trace(window.input.send(.systemDidWake).line)
    }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background synthesized",
        "queued",
        "suppressed duplicate",
        "queued",
        "2 willEnterForeground background→inactive manual",
        "3 didBecomeActive inactive→active source(window)",
        "4 systemDidWake active→active source(window)",
      ]
    )
    token.cancel()
    connection.cancel()
  }

  @Test(
    "A source that disconnects itself inside its own event moves the bus once",
    arguments: BusKind.allCases
  )
  func disconnectsItself(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let window = TestSource("window", trace: trace)
    let connection = try bus.connect(window, as: .participant("window"))
    bus.send(.didFinishLaunching)
    let token = bus.addObserver { event in
      trace(event.line)
      guard event.kind == .didBecomeActive else { return }
      window.input.disconnect()
      connection.cancel()
      connection.cancel()
    }
    expectNoDifference(window.input.send(.didBecomeActive), .delivered)
    expectNoDifference(
      trace.lines,
      [
        "window started",
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active source(window)",
        "window stopped",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
      ]
    )
    token.cancel()
  }
}

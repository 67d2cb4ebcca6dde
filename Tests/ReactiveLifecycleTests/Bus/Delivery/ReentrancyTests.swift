import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The situations in which a registry of lifecycle observers goes wrong, as AndroidX tests them for
/// its own, restated for one queue: an event reaches all observers before the next begins.
///
/// `ModelTests` run random mixtures of them.
@MainActor
@Suite("Re-entrancy")
struct ReentrancyTests {
  private let bus = LifecycleBus(clock: ManualClock())
  private let trace = Trace()
  private let scope = LifecycleScope()

  /// Observes under a name; the action comes after the note.
  @discardableResult
  private func observe(
    _ name: String,
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    _ action: @escaping @MainActor (LifecycleEvent) -> Void = { _ in }
  ) -> LifecycleCancellable {
    let token = bus.addObserver(for: kinds, catchUp: catchUp) { [trace] event in
      trace("\(name) \(event.origin == .catchUp ? "catch-up " : "")\(event.kind)")
      action(event)
    }
    token.store(in: scope)
    return token
  }

  @Test("removeWhileTraversing: the first removes the second, going up and going down")
  func removeNext() {
    var victim: LifecycleCancellable?
    observe("A") { if $0.kind == .willEnterForeground { victim?.cancel() } }
    victim = observe("B")
    observe("C") { if $0.kind == .willResignActive { victim?.cancel() } }
    bus.send(.willEnterForeground)
    let up = ["A didFinishLaunching", "B didFinishLaunching", "C didFinishLaunching"]
    expectNoDifference(trace.take(), up + ["A willEnterForeground", "C willEnterForeground"])
    victim = observe("D")
    observe("E") { if $0.kind == .didEnterBackground { victim?.cancel() } }
    bus.send(.didEnterBackground)
    expectNoDifference(
      trace.take(),
      ["E didEnterBackground", "C didEnterBackground", "A didEnterBackground"]
    )
  }

  @Test("siblingRemoval: removing one that has had its turn changes nothing for the others")
  func removePrevious() {
    let first = observe("A")
    observe("B") { _ in first.cancel() }
    observe("C")
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching", "C didFinishLaunching",
        "B willEnterForeground", "C willEnterForeground",
      ]
    )
  }

  @Test("siblingRemovalBetweenEvents: all removed by the first, in the middle of a path")
  func removeAll() {
    observe("A") { [scope] in if $0.kind == .willEnterForeground { scope.end() } }
    for name in ["B", "C"] { observe(name) }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching", "C didFinishLaunching",
        "A willEnterForeground",
      ]
    )
  }

  @Test("addDuringTraversing: the registration waits for the next event, going up and going down")
  func addDuringTraversing() {
    observe("A")
    observe("B") { [self] event in
      if event.kind == .didFinishLaunching { observe("C") }
      if event.kind == .willResignActive { observe("D") }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.take(),
      [
        "A didFinishLaunching", "B didFinishLaunching",
        "A willEnterForeground", "B willEnterForeground", "C willEnterForeground",
      ]
    )
    bus.send(.didBecomeActive)
    _ = trace.take()
    bus.send(.didEnterBackground)
    expectNoDifference(
      trace.lines,
      [
        "C willResignActive", "B willResignActive", "A willResignActive",
        "D didEnterBackground", "C didEnterBackground", "B didEnterBackground",
        "A didEnterBackground",
      ]
    )
    scope.end()
  }

  @Test("addDuringAddition: one that adds another, and sends, in its catch-up")
  func duringCatchUp() {
    bus.send(.willEnterForeground)
    observe("A", catchUp: .path) { [self] event in
      guard event.origin == .catchUp, event.kind == .didFinishLaunching else { return }
      observe("B", catchUp: .path)
      bus.send(.didEnterBackground)
    }
    trace("registered")
    expectNoDifference(
      trace.lines,
      [
        "A catch-up didFinishLaunching", "A catch-up willEnterForeground",
        "B catch-up didFinishLaunching", "B catch-up willEnterForeground",
        "B didEnterBackground", "A didEnterBackground",
        "registered",
      ]
    )
    scope.end()
  }

  @Test("twoObserversChainedEvent: the way back is sent on the way, and nobody misses either")
  func chainedEvents() {
    bus.send(.willEnterForeground)
    observe("A") { [bus] in if $0.kind == .didBecomeActive { bus.send(.willResignActive) } }
    observe("B") { [bus] in if $0.kind == .willResignActive { bus.send(.didEnterBackground) } }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "A didBecomeActive", "B didBecomeActive",
        "B willResignActive", "A willResignActive",
        "B didEnterBackground", "A didEnterBackground",
      ]
    )
    scope.end()
  }

  @Test("Everybody sends the same: one event, and the rest are repeats")
  func everybodySendsTheSame() {
    for name in ["A", "B", "C"] {
      observe(name, for: [.didFinishLaunching, .didBecomeActive]) { [bus, trace] event in
        if event.kind == .didFinishLaunching { trace(bus.send(.didBecomeActive).line) }
      }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "queued",
        "B didFinishLaunching", "suppressed duplicate",
        "C didFinishLaunching", "suppressed duplicate",
        "A didBecomeActive", "B didBecomeActive", "C didBecomeActive",
      ]
    )
    scope.end()
  }

  @Test("sameObserverReAddition: removed and added again in its own call, it moves to the end")
  func sameObserverReAddition() {
    var own: LifecycleCancellable?
    own = observe("A") { [self] event in
      guard event.kind == .didFinishLaunching else { return }
      own?.cancel()
      own = observe("A again")
    }
    observe("B")
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching",
        "B willEnterForeground", "A again willEnterForeground",
      ]
    )
    scope.end()
  }

  @Test("Terminating from inside: the path down is walked, and then all is over")
  func terminateFromInside() {
    observe("A") { [bus, trace] event in
      if event.kind == .willEnterForeground { bus.send(.willTerminate) }
      if event.kind == .willTerminate { trace(bus.send(.didBecomeActive).line) }
    }
    observe("B") { [self] in if $0.kind == .willTerminate { observe("C", catchUp: .path) } }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching",
        "A willEnterForeground", "B willEnterForeground",
        "B didEnterBackground", "A didEnterBackground",
        "B willTerminate", "A willTerminate", "suppressed terminated",
      ]
    )
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("What was asked for on another thread comes before what is sent here")
  func askedForOnAnotherThread() {
    bus.send(.didFinishLaunching)
    let leaving: LifecycleCancellable
    do {
      let canary = Canary { [trace] in trace("released") }
      leaving = bus.addObserver { _ in canary.sing() }
    }
    observe("A")
    let slow = RawSubscriber<LifecycleEvent>(trace) { "slow \($0.kind)" }
    bus.events.subscribe(slow)
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), ["subscription", "A systemDidWake"])
    let token = onOtherThread { [bus, trace] in
      bus.send(.didFinishLaunching)
      slow.request(1)
      leaving.cancel()
      return bus.addObserver(catchUp: .path) { trace("late \($0.kind)") }
    }
    expectNoDifference(trace.take(), [])
    expectNoDifference(bus.send(.systemWillSleep), .delivered)
    expectNoDifference(
      trace.take(),
      [
        "slow systemDidWake", "released", "late didFinishLaunching", "A systemWillSleep",
        "late systemWillSleep",
      ]
    )
    token.cancel()
    slow.cancel()
    scope.end()
  }
}

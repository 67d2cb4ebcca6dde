import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The situations in which a registry of lifecycle observers goes wrong, as AndroidX tests them for
/// its own, restated for one queue: an event reaches all observers before the next begins.
@MainActor
@Suite("Re-entrancy")
struct ReentrancyTests {
  private let trace = Trace()
  private let scope = LifecycleScope()

  /// Observes under a name; the action comes after the note.
  @discardableResult
  private func observe(
    _ bus: any LifecycleBusProtocol,
    _ name: String,
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    _ action: @escaping @Sendable (LifecycleEvent) -> Void = { _ in }
  ) -> LifecycleSubscription {
    bus.addObserver(for: kinds, in: scope, catchUp: catchUp) { [trace] event in
      trace("\(name) \(event.origin == .catchUp ? "catch-up " : "")\(event.kind)")
      action(event)
    }
  }

  @Test(
    "removeWhileTraversing: the first removes the second, going up",
    arguments: BusKind.allCases
  )
  func removeNextGoingUp(_ kind: BusKind) {
    let bus = kind.make()
    let second = UncheckedBox<LifecycleSubscription>()
    observe(bus, "A") { _ in second.value?.cancel() }
    second.value = observe(bus, "B")
    observe(bus, "C")
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "C didFinishLaunching",
        "A willEnterForeground", "C willEnterForeground",
      ]
    )
  }

  @Test(
    "removeWhileTraversing: the last removes the second, going down",
    arguments: BusKind.allCases
  )
  func removeNextGoingDown(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let second = UncheckedBox<LifecycleSubscription>()
    observe(bus, "A")
    second.value = observe(bus, "B")
    observe(bus, "C") { _ in second.value?.cancel() }
    bus.send(.didEnterBackground)
    expectNoDifference(
      trace.lines,
      ["C willResignActive", "A willResignActive", "C didEnterBackground", "A didEnterBackground"]
    )
  }

  @Test(
    "siblingRemoval: removing one that has had its turn changes nothing for the others",
    arguments: BusKind.allCases
  )
  func removePrevious(_ kind: BusKind) {
    let bus = kind.make()
    let first = UncheckedBox<LifecycleSubscription>()
    first.value = observe(bus, "A")
    observe(bus, "B") { _ in first.value?.cancel() }
    observe(bus, "C")
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching", "C didFinishLaunching",
        "B willEnterForeground", "C willEnterForeground",
      ]
    )
  }

  @Test(
    "siblingRemovalBetweenEvents: all removed by the first, in the middle of a path",
    arguments: BusKind.allCases
  )
  func removeAll(_ kind: BusKind) {
    let bus = kind.make()
    observe(bus, "A") { [scope] event in
      if event.kind == .willEnterForeground { scope.end() }
    }
    for name in ["B", "C"] { observe(bus, name) }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching", "C didFinishLaunching",
        "A willEnterForeground",
      ]
    )
  }

  @Test("Removing oneself, going up and going down", arguments: BusKind.allCases)
  func removeSelf(_ kind: BusKind) {
    for input in [LifecycleEvent.Kind.didBecomeActive, .willResignActive] {
      let bus = kind.make()
      bus.send(input == .didBecomeActive ? .willEnterForeground : .didBecomeActive)
      let own = UncheckedBox<LifecycleSubscription>()
      observe(bus, "A")
      own.value = observe(bus, "B") { _ in own.value?.cancel() }
      observe(bus, "C")
      bus.send(input)
      bus.send(.systemDidWake)
      let order = input == .didBecomeActive ? ["A", "B", "C"] : ["C", "B", "A"]
      expectNoDifference(
        trace.take(),
        order.map { "\($0) \(input)" } + ["A systemDidWake", "C systemDidWake"]
      )
    }
  }

  @Test(
    "addDuringTraversing: the registration waits for the next event, going up and going down",
    arguments: BusKind.allCases
  )
  func addDuringTraversing(_ kind: BusKind) {
    for (way, input) in [
      (LifecycleEvent.Kind.didFinishLaunching, LifecycleEvent.Kind.didBecomeActive),
      (.didBecomeActive, .didEnterBackground),
    ] {
      let bus = kind.make()
      bus.send(way)
      let isAdded = Locked(false)
      observe(bus, "A")
      observe(bus, "B") { [self, unowned bus] _ in
        let wasAdded = isAdded.withLock { added in
          defer { added = true }
          return added
        }
        if !wasAdded { MainActor.assumeIsolated { _ = observe(bus, "C") } }
      }
      bus.send(input)
      expectNoDifference(
        trace.take(),
        input == .didBecomeActive
          ? [
            "A willEnterForeground", "B willEnterForeground",
            "A didBecomeActive", "B didBecomeActive", "C didBecomeActive",
          ]
          : [
            "B willResignActive", "A willResignActive",
            "C didEnterBackground", "B didEnterBackground", "A didEnterBackground",
          ]
      )
    }
  }

  @Test("addDuringAddition: one that adds another in its catch-up", arguments: BusKind.allCases)
  func addDuringCatchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    observe(bus, "A", catchUp: .path) { [self, unowned bus] event in
      guard event.kind == .didFinishLaunching else { return }
      MainActor.assumeIsolated { _ = observe(bus, "B", catchUp: .path) }
    }
    trace("registered")
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "A catch-up didFinishLaunching", "A catch-up willEnterForeground",
        "B catch-up didFinishLaunching", "B catch-up willEnterForeground",
        "registered",
        "A didBecomeActive", "B didBecomeActive",
      ]
    )
  }

  @Test("Removing another in a catch-up, and oneself", arguments: BusKind.allCases)
  func removeDuringCatchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let first = observe(bus, "A")
    let own = UncheckedBox(LifecycleScope())
    bus.addObserver(in: own.value!, catchUp: .path) { [trace] event in
      trace("B \(event.kind)")
      first.cancel()
      if event.kind == .willEnterForeground { own.value?.end() }
    }
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["B didFinishLaunching", "B willEnterForeground"])
  }

  @Test("Sending in a catch-up: the catch-up is finished first", arguments: BusKind.allCases)
  func sendDuringCatchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    observe(bus, "A")
    observe(bus, "B", catchUp: .path) { [unowned bus] event in
      if event.kind == .didFinishLaunching { bus.send(.didEnterBackground) }
    }
    trace("registered")
    expectNoDifference(
      trace.lines,
      [
        "B catch-up didFinishLaunching", "B catch-up willEnterForeground",
        "B catch-up didBecomeActive",
        "B willResignActive", "A willResignActive",
        "B didEnterBackground", "A didEnterBackground",
        "registered",
      ]
    )
  }

  @Test(
    "twoObserversChainedEvent: an event sent by the first follows the one in delivery",
    arguments: BusKind.allCases
  )
  func chainedEvent(_ kind: BusKind) {
    let bus = kind.make()
    observe(bus, "A") { [unowned bus] event in
      if event.kind == .didFinishLaunching { bus.send(.willEnterForeground) }
    }
    observe(bus, "B")
    bus.send(.didFinishLaunching)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching",
        "A willEnterForeground", "B willEnterForeground",
      ]
    )
  }

  @Test(
    "A bounce: the way back is sent on the way, and nobody misses either",
    arguments: BusKind.allCases
  )
  func bounceSentOnTheWay(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    observe(bus, "A") { [unowned bus] event in
      if event.kind == .didBecomeActive { bus.send(.willResignActive) }
    }
    observe(bus, "B") { [unowned bus] event in
      if event.kind == .willResignActive { bus.send(.didEnterBackground) }
    }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "A didBecomeActive", "B didBecomeActive",
        "B willResignActive", "A willResignActive",
        "B didEnterBackground", "A didEnterBackground",
      ]
    )
  }

  @Test(
    "Everybody sends the same: one event, and the rest are repeats",
    arguments: BusKind.allCases
  )
  func everybodySendsTheSame(_ kind: BusKind) {
    let bus = kind.make()
    for name in ["A", "B", "C"] {
      observe(bus, name, for: [.didFinishLaunching, .didBecomeActive]) {
        [unowned bus, trace] event in
        if event.kind == .didFinishLaunching { trace("\(bus.send(.didBecomeActive).line)") }
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
  }

  @Test(
    "sameObserverReAddition: removed and added again in its own call, it moves to the end",
    arguments: BusKind.allCases
  )
  func sameObserverReAddition(_ kind: BusKind) {
    let bus = kind.make()
    let own = UncheckedBox<LifecycleSubscription>()
    own.value = observe(bus, "A") { [self, unowned bus] event in
      guard event.kind == .didFinishLaunching else { return }
      own.value?.cancel()
      MainActor.assumeIsolated { own.value = observe(bus, "A again") }
    }
    observe(bus, "B")
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A didFinishLaunching", "B didFinishLaunching",
        "B willEnterForeground", "A again willEnterForeground",
      ]
    )
  }

  @Test(
    "Terminating from inside: the path down is walked, and then all is over",
    arguments: BusKind.allCases
  )
  func terminateFromInside(_ kind: BusKind) {
    let bus = kind.make()
    observe(bus, "A") { [unowned bus, trace] event in
      if event.kind == .willEnterForeground { bus.send(.willTerminate) }
      if event.kind == .willTerminate { trace(bus.send(.didBecomeActive).line) }
    }
    observe(bus, "B") { [self, unowned bus] event in
      guard event.kind == .willTerminate else { return }
      MainActor.assumeIsolated { _ = observe(bus, "C", catchUp: .path) }
    }
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
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "A scope's end in a delivery ends children and parents' children alike",
    arguments: BusKind.allCases
  )
  func endScopesFromInside(_ kind: BusKind) {
    let bus = kind.make()
    let parent = LifecycleScope("parent")
    let child = LifecycleScope("child", parent: parent)
    let other = LifecycleScope("other")
    bus.addObserver(in: child) { [trace] in trace("child \($0.kind)") }
    bus.addObserver(in: other) { [trace] in
      trace("other \($0.kind)")
      parent.end()
    }
    bus.addObserver(in: parent) { [trace] in trace("parent \($0.kind)") }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      ["child didFinishLaunching", "other didFinishLaunching", "other willEnterForeground"]
    )
    other.end()
  }
}

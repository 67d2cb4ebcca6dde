import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A screen's bus inside the application's.
@MainActor
@Suite("Buses as sources: a child")
struct ChildBusTests {
  private enum Step: CaseIterable {
    case appear, disappear
    case launch, foreground, active, resign, background, terminate

    /// What is sent to the parent; nil for what is done to the child.
    var kind: LifecycleEvent.Kind? {
      switch self {
      case .appear, .disappear: nil
      case .launch: .didFinishLaunching
      case .foreground: .willEnterForeground
      case .active: .didBecomeActive
      case .resign: .willResignActive
      case .background: .didEnterBackground
      case .terminate: .willTerminate
      }
    }
  }

  @Test(
    "Every sequence of appearing, disappearing and the parent's phases, up to length 4",
    arguments: BusKind.allCases
  )
  func leastOfBoth(_ kind: BusKind) {
    var sequences: [[Step]] = [[]]
    for _ in 0..<4 { sequences = sequences.flatMap { head in Step.allCases.map { head + [$0] } } }
    for sequence in sequences {
      let parent = kind.make()
      let child = LifecycleBus(parent: parent)
      let events = Collector<LifecycleEvent>()
      let token = child.addObserver { events($0) }
      var shown = LifecyclePhase.background
      var oracle = PhaseOracle()
      for step in sequence {
        if let kind = step.kind {
          parent.send(kind)
          _ = oracle.accept(kind, at: ManualClock().now)
        } else {
          if step == .appear {
            child.send(.didBecomeActive)
          } else {
            child.send(.didEnterBackground)
          }
          shown = step == .appear ? .active : .background
        }
        let expected = oracle.phase == .unknown ? .background : min(shown, oracle.phase)
        guard child.phase != expected else { continue }
        Issue.record("\(sequence) at \(step): \(child.phase), not \(expected)")
      }
      token.cancel()
      let seen = events.values
      let isPath = zip(seen, seen.dropFirst()).allSatisfy {
        $0.phase == $1.previousPhase && $0.sequenceNumber + 1 == $1.sequenceNumber
      }
      if !isPath { Issue.record("\(sequence): \(seen.map(\.line))") }
    }
  }

  @Test("It starts in the background, under a parent that is active already")
  func startsInTheBackground() {
    let parent = LifecycleBus(clock: ManualClock())
    parent.send(.didBecomeActive)
    let child = LifecycleBus(parent: parent)
    expectNoDifference(child.phase, .background)
    let trace = Trace()
    let token = child.addObserver(catchUp: .path) { trace($0.line) }
    expectNoDifference(child.send(.didBecomeActive), .delivered)
    expectNoDifference(child.send(.didBecomeActive), .suppressed(.duplicate))
    expectNoDifference(child.send(.didEnterBackground), .delivered)
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background catchUp",
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active manual",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background manual",
      ]
    )
    token.cancel()
  }

  @Test("Shown while the parent is away, it comes to the front with the parent")
  func shownWhileAway() {
    let clock = ManualClock()
    let parent = LifecycleBus(clock: clock)
    parent.send(.didFinishLaunching)
    let child = LifecycleBus(parent: parent)
    let trace = Trace()
    let token = child.addObserver { trace($0.fullLine) }
    expectNoDifference(child.send(.didBecomeActive), .suppressed(.masked))
    clock.advance(by: .seconds(5))
    parent.send(.didBecomeActive)
    clock.advance(by: .seconds(5))
    parent.send(.didEnterBackground)
    clock.advance(by: .seconds(30))
    parent.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "2 willEnterForeground background→inactive source(bus) @3605",
        "3 didBecomeActive inactive→active source(bus) @3605",
        "4 willResignActive active→inactive source(bus) @3610",
        "5 didEnterBackground inactive→background source(bus) @3610",
        "6 willEnterForeground background→inactive source(bus) @3640, away for 30",
      ]
    )
    token.cancel()
  }

  @Test("A child keeps its parent's time, and what it passes on keeps its instant")
  func childKeepsItsParentsTime() throws {
    let clock = ManualClock()
    let parent = LifecycleBus(clock: clock)
    let early = clock.now
    clock.advance(by: .seconds(10))
    parent.send(.didBecomeActive, at: early)
    let child = LifecycleBus(parent: parent)
    let late = NonisolatedLifecycleBus(clock: clock)
    let trace = Trace()
    let tokens = [
      child.addObserver { trace("child \($0.fullLine)") },
      late.addObserver { trace("late \($0.fullLine)") },
    ]
    let connection = try late.connect(.bus(parent), as: .ceiling)
    child.send(.didBecomeActive)
    child.send(.didEnterBackground)
    clock.advance(by: .seconds(5))
    child.send(.didBecomeActive)
    parent.send(.willResignActive, at: early)
    parent.send(.willTerminate, at: early)
    let last = NonisolatedLifecycleBus(clock: clock)
    let lastToken = last.addObserver { trace("last \($0.fullLine)") }
    let lastConnection = try last.connect(.bus(parent), as: .ceiling)
    expectNoDifference(
      trace.lines,
      [
        "late 1 didFinishLaunching unknown→background synthesized @3600",
        "late 2 willEnterForeground background→inactive synthesized @3600",
        "late 3 didBecomeActive inactive→active source(bus) @3600",
        "child 2 willEnterForeground background→inactive synthesized @3610",
        "child 3 didBecomeActive inactive→active manual @3610",
        "child 4 willResignActive active→inactive synthesized @3610",
        "child 5 didEnterBackground inactive→background manual @3610",
        "child 6 willEnterForeground background→inactive synthesized @3615, away for 5",
        "child 7 didBecomeActive inactive→active manual @3615",
        "late 4 willResignActive active→inactive source(bus) @3600",
        "child 8 willResignActive active→inactive source(bus) @3600",
        "late 5 didEnterBackground inactive→background source(bus) @3600",
        "child 9 didEnterBackground inactive→background source(bus) @3600",
        "late 6 willTerminate background→terminated source(bus) @3600",
        "child 10 willTerminate background→terminated source(bus) @3600",
        "last 1 willTerminate unknown→terminated source(bus) @3600",
      ]
    )
    connection.cancel()
    lastConnection.cancel()
    for token in tokens + [lastToken] { token.cancel() }
  }

  @Test(
    "The child's observers have their turn where it stands among the parent's",
    arguments: BusKind.allCases
  )
  func observersOfTheChildHaveTheirTurn(_ kind: BusKind) {
    let parent = kind.make()
    parent.send(.didFinishLaunching)
    let trace = Trace()
    let before = parent.addObserver { trace("before \($0.kind)") }
    let child = LifecycleBus(parent: parent)
    child.send(.didBecomeActive)
    let after = parent.addObserver { trace("after \($0.kind)") }
    // Registered last of all, and yet told in the child's turn.
    let tokens = ["child", "child again"].map { name in
      child.addObserver { trace("\(name) \($0.kind)") }
    }
    parent.send(.willEnterForeground)
    parent.send(.systemDidWake)
    parent.send(.didEnterBackground)
    expectNoDifference(
      trace.lines,
      [
        "before willEnterForeground",
        "child willEnterForeground", "child again willEnterForeground",
        "after willEnterForeground",
        "before systemDidWake",
        "child systemDidWake", "child again systemDidWake",
        "after systemDidWake",
        "after didEnterBackground",
        "child again didEnterBackground", "child didEnterBackground",
        "before didEnterBackground",
      ]
    )
    for token in tokens + [before, after] { token.cancel() }
  }

  @Test("Notices and text pass down, also where the phase does not")
  func passesDown() {
    let parent = LifecycleBus(clock: ManualClock())
    parent.send(.didBecomeActive)
    let child = LifecycleBus(parent: parent)
    let grandchild = LifecycleBus(parent: child)
    let trace = Trace()
    let token = grandchild.addObserver { trace("\($0.line) \($0.metadata)") }
    parent.send(.didReceiveMemoryWarning, metadata: ["level": "critical"])
    child.send(.didBecomeActive)
    grandchild.send(.didBecomeActive)
    parent.send(.didEnterBackground, metadata: ["signal": "SIGTSTP"])
    expectNoDifference(
      trace.lines,
      [
        "2 didReceiveMemoryWarning background→background source(bus) [\"level\": \"critical\"]",
        "3 willEnterForeground background→inactive synthesized [:]",
        "4 didBecomeActive inactive→active manual [:]",
        "5 willResignActive active→inactive source(bus) [:]",
        "6 didEnterBackground inactive→background source(bus) [\"signal\": \"SIGTSTP\"]",
      ]
    )
    token.cancel()
  }

  @Test("A grandchild is never further forward than either above it")
  func grandchildIsNeverFurtherForwardThanOthers() {
    let parent = LifecycleBus(clock: ManualClock())
    let child = LifecycleBus(parent: parent)
    let grandchild = LifecycleBus(parent: child)
    parent.send(.didBecomeActive)
    expectNoDifference(grandchild.send(.didBecomeActive), .suppressed(.masked))
    child.send(.didBecomeActive)
    expectNoDifference(grandchild.phase, .active)
    parent.send(.willResignActive)
    expectNoDifference(grandchild.phase, .inactive)
    child.send(.didEnterBackground)
    expectNoDifference(grandchild.phase, .background)
    parent.send(.didBecomeActive)
    expectNoDifference(grandchild.phase, .background)
    child.send(.didBecomeActive)
    expectNoDifference(grandchild.phase, .active)
  }

  @Test("Connected while the parent delivers, a child starts from that event and hears the next")
  func connectedDuringDelivery() {
    let parent = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let child = Locked<LifecycleBus?>(nil)
    let tokens = Locked<[LifecycleSubscription]>([])
    let first = parent.addObserver { [unowned parent] event in
      trace("parent \(event.kind)")
      guard event.kind == .willEnterForeground else { return }
      let bus = LifecycleBus(parent: parent)
      let token = bus.addObserver { trace("child \($0.line)") }
      tokens.withLock { $0.append(token) }
      for ceiling in bus.diagnostics.ceilings { trace("child's ceiling \(ceiling.phase)") }
      bus.send(.didBecomeActive)
      child.withLock { $0 = bus }
    }
    parent.send(.didBecomeActive)
    // It shows itself before it has heard of its parent, which has a delivery under way.
    expectNoDifference(
      trace.lines,
      [
        "parent didFinishLaunching",
        "parent willEnterForeground",
        "child's ceiling background",
        "child 2 willEnterForeground background→inactive source(bus)",
        "parent didBecomeActive",
        "child 3 didBecomeActive inactive→active source(bus)",
      ]
    )
    first.cancel()
    tokens.withLock { $0 }.forEach { $0.cancel() }
  }

  @Test("A nonisolated parent's events reach a main-actor child on the main actor, in order")
  func nonisolatedParent() async {
    let parent = NonisolatedLifecycleBus(clock: ManualClock())
    let child = LifecycleBus(parent: parent)
    child.send(.didBecomeActive)
    let trace = Trace()
    let token = child.addObserver {
      MainActor.assertIsolated()
      trace($0.line)
    }
    await awaitOtherThread {
      parent.send(.didFinishLaunching)
      parent.send(.systemDidWake)
      parent.send(.didBecomeActive)
      parent.send(.willResignActive)
    }
    await mainQueueToDrain()
    expectNoDifference(
      trace.lines,
      [
        "2 systemDidWake background→background source(bus)",
        "3 willEnterForeground background→inactive source(bus)",
        "4 didBecomeActive inactive→active source(bus)",
        "5 willResignActive active→inactive source(bus)",
      ]
    )
    token.cancel()
  }

  @Test("Windows are presences of the application's bus: the most forward one counts")
  func windowsAreParticipantsOfApplicationBus() throws {
    let clock = ManualClock()
    let application = LifecycleBus(clock: clock)
    let windows = (0..<2).map { _ in LifecycleBus(clock: clock) }
    let names: [LifecycleParticipant] = ["left", "right"]
    var connections: [LifecycleCancellable] = []
    for (window, name) in zip(windows, names) {
      connections.append(
        try application.connect(
          .bus(window, name: LifecycleSourceName(rawValue: name.rawValue)),
          as: .participant(name)
        )
      )
    }
    let trace = Trace()
    let token = application.addObserver { trace($0.line) }
    windows[0].send(.didBecomeActive)
    windows[1].send(.willEnterForeground)
    windows[0].send(.didEnterBackground)
    // A window that ends says nothing any more; the application goes on.
    windows[1].send(.didBecomeActive)
    windows[1].send(.willTerminate)
    windows[0].send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background source(left)",
        "2 willEnterForeground background→inactive source(left)",
        "3 didBecomeActive inactive→active source(left)",
        "4 willResignActive active→inactive source(left)",
        "5 didBecomeActive inactive→active source(right)",
        "6 willResignActive active→inactive source(right)",
        "7 didEnterBackground inactive→background source(right)",
        "8 willEnterForeground background→inactive source(left)",
      ]
    )
    expectNoDifference(application.diagnostics.participants.map(\.name), ["left"])
    withExtendedLifetime(windows) {}
    token.cancel()
    for connection in connections { connection.cancel() }
  }
}

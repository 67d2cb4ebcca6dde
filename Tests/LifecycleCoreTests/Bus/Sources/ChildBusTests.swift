import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// A screen's bus inside the application's.
@MainActor
@Suite("Buses as sources: child")
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

  private let clock = ManualClock()
  private let trace = Trace()

  @Test("A child's phase is the lesser of its own and its parent's, after every sequence")
  func leastOfBoth() {
    var sequences: [[Step]] = [[]]
    for _ in 0..<4 { sequences = sequences.flatMap { head in Step.allCases.map { head + [$0] } } }
    for sequence in sequences {
      let parent = LifecycleBus(clock: clock)
      let child = LifecycleBus(parent: parent)
      var events: [LifecycleEvent] = []
      let token = child.addObserver { events.append($0) }
      var shown = LifecyclePhase.background
      var oracle = PhaseOracle()
      for step in sequence {
        if let kind = step.kind {
          parent.send(kind)
          _ = oracle.accept(kind, at: clock.now)
        } else {
          child.send(step == .appear ? .didBecomeActive : .didEnterBackground)
          shown = step == .appear ? .active : .background
        }
        let expected = oracle.phase == .unknown ? .background : min(shown, oracle.phase)
        guard child.phase != expected else { continue }
        Issue.record("\(sequence) at \(step): \(child.phase), not \(expected)")
        return
      }
      token.cancel()
      let isPath = zip(events, events.dropFirst()).allSatisfy {
        $0.phase == $1.previousPhase && $0.sequenceNumber + 1 == $1.sequenceNumber
      }
      guard isPath else {
        Issue.record("\(sequence): \(events.map(\.line))")
        return
      }
    }
  }

  @Test("Events passed on to another bus keep their instants")
  func instants() throws {
    let parent = LifecycleBus(clock: clock)
    let early = clock.now
    clock.advance(by: .seconds(10))
    parent.send(.didBecomeActive, at: early)
    let late = LifecycleBus(clock: clock)
    let token = late.addObserver { [trace] in trace("late \($0.fullLine)") }
    let connection = try late.connect(.bus(parent), as: .ceiling)
    parent.send(.willResignActive, at: early)
    parent.send(.willTerminate, at: early)
    let last = LifecycleBus(clock: clock)
    let lastToken = last.addObserver { [trace] in trace("last \($0.fullLine)") }
    let lastConnection = try last.connect(.bus(parent), as: .ceiling)
    expectNoDifference(
      trace.lines,
      [
        "late 1 didFinishLaunching unknown→background synthesized @3600",
        "late 2 willEnterForeground background→inactive synthesized @3600",
        "late 3 didBecomeActive inactive→active source(bus) @3600",
        "late 4 willResignActive active→inactive source(bus) @3600",
        "late 5 didEnterBackground inactive→background source(bus) @3600",
        "late 6 willTerminate background→terminated source(bus) @3600",
        "last 1 willTerminate unknown→terminated source(bus) @3600",
      ]
    )
    for connection in [connection, lastConnection] { connection.cancel() }
    for token in [token, lastToken] { token.cancel() }
  }

  @Test("A child's observers run in the child's turn among the parent's observers")
  func observersOfTheChildHaveTheirTurn() {
    let parent = LifecycleBus(clock: clock)
    parent.send(.didFinishLaunching)
    let before = parent.addObserver { [trace] in trace("before \($0.kind)") }
    let child = LifecycleBus(parent: parent)
    child.send(.didBecomeActive)
    let after = parent.addObserver { [trace] in trace("after \($0.kind)") }
    // Registered last of all, and yet called in the child's turn.
    let tokens = ["child", "child again"].map { name in
      child.addObserver { [trace] in trace("\(name) \($0.kind)") }
    }
    parent.send(all: .willEnterForeground, .didEnterBackground)
    expectNoDifference(
      trace.lines,
      [
        "before willEnterForeground",
        "child willEnterForeground", "child again willEnterForeground",
        "after willEnterForeground",
        "after didEnterBackground",
        "child again didEnterBackground", "child didEnterBackground",
        "before didEnterBackground",
      ]
    )
    for token in tokens + [before, after] { token.cancel() }
  }

  @Test("Notices and metadata reach a grandchild, even if the phase does not")
  func passesDown() {
    let parent = LifecycleBus(clock: clock)
    parent.send(.didBecomeActive)
    let child = LifecycleBus(parent: parent)
    let grandchild = LifecycleBus(parent: child)
    let token = grandchild.addObserver { [trace] in trace("\($0.line) \($0.metadata)") }
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

  @Test("A child connected during a delivery starts with the phase of that event")
  func connectedDuringDelivery() {
    let parent = LifecycleBus(clock: clock)
    var child: (bus: LifecycleBus, token: LifecycleCancellable)?
    let first = parent.addObserver { [trace, unowned parent] event in
      trace("parent \(event.kind)")
      guard event.kind == .willEnterForeground else { return }
      let bus = LifecycleBus(parent: parent)
      let token = bus.addObserver { trace("child \($0.line)") }
      for ceiling in bus.diagnostics.ceilings { trace("child's ceiling \(ceiling.phase)") }
      bus.send(.didBecomeActive)
      child = (bus, token)
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
    child?.token.cancel()
  }

  @Test("A nonisolated parent's events reach a main-actor child on the main actor, in order")
  func nonisolatedParent() async {
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = LifecycleBus(parent: parent)
    child.send(.didBecomeActive)
    let token = child.addObserver { [trace] in
      MainActor.assertIsolated()
      trace($0.line)
    }
    await awaitOtherThread {
      parent.send(all: .didFinishLaunching, .systemDidWake, .didBecomeActive, .willResignActive)
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
}

import CustomDump
import LifecycleCombine
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

@MainActor
@Suite("While phase")
struct WhilePhaseTests {
  /// Upstream is subscribed to in the active phase, and the bus is inactive.
  private func stage(demand: Subscribers.Demand = .unlimited) -> OperatorStage {
    OperatorStage(after: .willEnterForeground, demand: demand) {
      $0.whilePhase(.atLeast(.active), of: $1)
    }
  }

  @Test("whilePhase(.background) is subscribed neither before the launch nor after the end")
  func background() {
    let stage = OperatorStage(after: .systemDidWake) { $0.whilePhase(.background, of: $1) }
    for kind in [LifecycleEvent.Kind.didFinishLaunching, .didBecomeActive, .willTerminate] {
      stage.trace("\(kind)")
      stage.bus.send(kind)
    }
    expectNoDifference(
      stage.trace.lines,
      [
        "didFinishLaunching", "subscribe 1", "ask unlimited", "didBecomeActive", "cancel 1",
        "willTerminate", "subscribe 2", "ask unlimited", "cancel 2", "finished",
      ]
    )
  }

  @Test("whilePhase subscribes and cancels where the bus delivers")
  func subscribedElsewhere() async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { hooks in
      hooks.subscribe = { _ in MainActor.assertIsolated() }
      hooks.cancel = { _ in MainActor.assertIsolated() }
    }
    let downstream = ProbeSubscriber(trace)
    await awaitOtherThread {
      upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    }
    await mainQueueToDrain()
    await awaitOtherThread { _ = bus.send(.willResignActive) }
    await mainQueueToDrain()
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1"]
    )
  }

  @Test("whilePhase subscribes and cancels in its turn of the event")
  func inItsTurn() {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willEnterForeground)
    let trace = Trace()
    let before = bus.addObserver { trace("before \($0.kind)") }
    let downstream = ProbeSubscriber(trace)
    ProbePublisher(trace).whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    let after = bus.addObserver { trace("after \($0.kind)") }
    _ = trace.take()
    bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(
      trace.take(),
      [
        "before didBecomeActive", "subscribe 1", "ask unlimited", "after didBecomeActive",
        "after willResignActive", "cancel 1", "before willResignActive",
      ]
    )
    before.cancel()
    after.cancel()
  }

  // MARK: Demand

  @Test("Values that wait behind a call when the phase is left are requested again")
  func waitingIsOwed() {
    let stage = stage(demand: .max(3))
    stage.bus.send(.didBecomeActive)
    stage.downstream.onValue = { [bus = stage.bus, upstream = stage.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      bus.send(all: .willResignActive, .didBecomeActive)
      return .max(10)
    }
    stage.send(1)
    // The subscription that the value came from is no more: its successor is asked.
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask max(3)", "1", "cancel 1", "subscribe 2", "ask max(2)", "ask max(10)"]
    )
    expectNoDifference(stage.upstream[2].asked, .max(12))
    stage.downstream.cancel()
  }

  // MARK: The end

  @Test("An arrival while a failure waits does not subscribe to upstream")
  func eventAfterFailure() {
    var machine = WhilePhaseMachine(.atLeast(.active))
    let active = DeliveredState(phase: .active, sequenceNumber: 1)
    let inactive = DeliveredState(phase: .inactive, sequenceNumber: 2)
    _ = machine.downstreamDidSubscribe()
    _ = machine.join(at: active)
    _ = machine.connect(1)
    // The first value is being delivered, the second and the failure wait behind it.
    for _ in 1...2 { _ = machine.receiveValue(from: 1, at: nil) }
    #expect(machine.complete(.failure, from: 1).leavesBus)
    #expect(machine.receiveState(inactive).dropped.isEmpty)
    #expect(machine.receiveState(active).upstream == nil)
    expectNoDifference(machine.callDidReturn(.none).call, .value)
    expectNoDifference(machine.callDidReturn(.none).call, .completion(.failure))
  }

  // MARK: Calls from inside of calls

  @Test("An upstream that moves the bus inside subscribe has one subscription at the end")
  func movesInSubscribe() {
    let stage = stage()
    stage.upstream.hook { [weak bus = stage.bus] hooks in
      hooks.subscribe = { subscription in
        if subscription.number < 3 { bus?.send(all: .willResignActive, .didBecomeActive) }
      }
    }
    stage.bus.send(.didBecomeActive)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "subscribe 2", "ask unlimited", "cancel 2",
        "subscribe 3", "ask unlimited",
      ]
    )
    expectNoDifference(stage.upstream.liveCount, 1)
  }

  @Test("whilePhase subscribes again only after a slow cancellation has returned")
  func slowCancel() {
    let stage = stage()
    stage.upstream.hook { [trace = stage.trace, weak bus = stage.bus] hooks in
      hooks.cancel = { _ in
        guard let bus else { return }
        // The next arrival is accepted meanwhile.
        trace("cancelled, \(bus.send(.didBecomeActive).line)")
      }
    }
    stage.bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "cancelled, queued", "subscribe 2",
        "ask unlimited",
      ]
    )
  }
}

/// Every sequence of what can happen to `whilePhase(_:of:)`, on a bus, compared with a list
/// of rules.
@MainActor
@Suite("While phase: every sequence")
struct WhilePhaseModelTests {
  enum Input: CaseIterable {
    case arrive, leave
    /// A value of the latest subscription, which was requested.
    case value
    /// A value of the latest subscription, and another from inside downstream's call.
    case values
    /// A value and a failure of the first subscription, which has been replaced.
    case stale
    case finish, fail, request, cancel, end
  }

  /// The rules.
  struct Oracle {
    private var isInside = false
    private(set) var isOver = false
    private var isSubscribed = false
    private var count = 0
    private var owed = 1

    /// Whether the input can come now.
    func allows(_ input: Input) -> Bool {
      switch input {
      case .arrive: !isInside
      case .leave: isInside
      case .value: isSubscribed && owed > 0
      case .values: isSubscribed && owed > 1
      case .stale: count > 1
      case .finish, .fail: isSubscribed
      case .request, .cancel, .end: true
      }
    }

    mutating func feed(_ input: Input) -> [String] {
      switch input {
      case .arrive:
        (isInside, isSubscribed) = (true, true)
        count += 1
        return ["subscribe \(count)"] + (owed > 0 ? ["ask max(\(owed))"] : [])
      case .leave:
        defer { (isInside, isSubscribed) = (false, false) }
        return isSubscribed ? ["cancel \(count)"] : []
      case .value:
        owed -= 1
        return ["1"]
      case .values:
        owed -= 2
        return ["2", "end of 2", "1"]
      case .stale: return []
      case .finish:
        isSubscribed = false
        return []
      case .fail:
        isOver = true
        return ["failed"]
      case .request:
        owed += 2
        return isSubscribed ? ["ask max(2)"] : []
      case .cancel:
        isOver = true
        return isSubscribed ? ["cancel \(count)"] : []
      case .end:
        isOver = true
        return (isSubscribed ? ["cancel \(count)"] : []) + ["finished"]
      }
    }
  }

  /// Feeds the sequence to a real publisher.
  private func run(_ inputs: [Input], _ kind: BusKind) -> [String] {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace, demand: .max(1))
    downstream.onValue = { [unowned upstream] number in
      guard number == 2 else { return .none }
      upstream.send(1)
      trace("end of 2")
      return .none
    }
    upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    _ = trace.take()
    for input in inputs {
      switch input {
      case .arrive: bus.send(.didBecomeActive)
      case .leave: bus.send(.willResignActive)
      case .value: upstream.send(1)
      case .values: upstream.send(2)
      case .stale:
        upstream[1].send(ProbeValue(1))
        upstream[1].complete(.failure(.broken))
      case .finish: upstream.send(completion: .finished)
      case .fail: upstream.send(completion: .failure(.broken))
      case .request: downstream.request(.max(2))
      case .cancel: downstream.cancel()
      case .end: bus.send(.willTerminate)
      }
      if upstream.liveCount > 1 { trace("two subscriptions at once") }
    }
    defer { downstream.cancel() }
    return trace.lines
  }

  @Test("whilePhase follows the rules in every sequence up to length 7")
  func everySequence() {
    var (count, failures) = (0, 0)
    func extend(_ inputs: [Input], _ lines: [String], _ oracle: Oracle) {
      guard failures < 3 else { return }
      guard inputs.count < 7, !oracle.isOver else {
        count += 1
        for kind in BusKind.allCases {
          let found = run(inputs, kind)
          guard found != lines else { continue }
          expectNoDifference(found, lines, "\(kind.testDescription) \(inputs)")
          failures += 1
        }
        return
      }
      for input in Input.allCases where oracle.allows(input) {
        var after = oracle
        let more = after.feed(input)
        extend(inputs + [input], lines + more, after)
      }
    }
    extend([], [], Oracle())
    #expect(failures > 0 || count > 1_500)
  }
}

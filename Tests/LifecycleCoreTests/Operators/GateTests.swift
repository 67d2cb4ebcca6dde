import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

/// `GateMachineTests` test what passes and what is kept, `MarbleTests` a publisher of each buffering.
@MainActor
@Suite("Gate")
struct GateTests {
  @Test("A gate with a limit below 1 is reported, and keeps nothing")
  func badLimit() {
    let bus = LifecycleBus(clock: ManualClock())
    let numbers = PassthroughSubject<Int, Never>()
    var passed: LifecycleRecorder<Int, Never>?
    expectReportedIssue("keeps nothing", line: #line + 2) {
      let buffering = LifecycleGateBuffering.all(limit: -1, whenFull: .dropNewest)
      let gate = numbers.gate(.atLeast(.active), of: bus, buffering: buffering)
      passed = LifecycleRecorder(gate, of: bus)
    }
    numbers.send(1)
    bus.send(.didBecomeActive)
    expectNoDifference(passed?.elements, [])
  }

  @Test("An endless upstream that answers at once ends with its downstream")
  func endlessUpstreamEndsWithDownstream() {
    let bus = LifecycleBus(clock: ManualClock())
    var numbers: [Int] = []
    let gate = (1...).publisher.gate(.atMost(.unknown), of: bus, buffering: .latest)
    gate.prefix(3).subscribe(
      Subscribers.Sink { _ in
      } receiveValue: {
        numbers.append($0)
      }
    )
    expectNoDifference(numbers, [1, 2, 3])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  // MARK: Which phase counts, and what comes first

  @Test("A gate judges a value sent by an observer of an event by the phase of that event")
  func sameEvent() {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    // Notified before the gate on the way up, and after it on the way down.
    let earlier = bus.addObserver { event in
      guard event.phase >= .inactive, upstream.count == 1 else { return }
      trace("send \(event.sequenceNumber)")
      upstream.send(event.sequenceNumber)
    }
    let downstream = ProbeSubscriber(trace)
    upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
    let later = bus.addObserver { event in
      trace("then \(event.sequenceNumber)")
      upstream.send(10 * event.sequenceNumber)
    }
    _ = trace.take()
    bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(
      trace.lines,
      ["then 1", "send 2", "then 2", "send 3", "3", "then 3", "30", "then 4", "send 4"]
    )
    downstream.cancel()
    earlier.cancel()
    later.cancel()
  }

  @Test("A value passes a gate that was subscribed to during a delivery in an open phase")
  func subscribedDuringDelivery() {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    // The gate joins after the delivery; its first value comes before that.
    let token = bus.addObserver(for: [.didBecomeActive]) { _ in
      upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(ProbeSubscriber(trace))
      upstream.send(1)
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask unlimited", "1"])
    token.cancel()
  }

  @Test("Values pass on upstream's thread, and kept ones arrive where the bus delivers")
  func threads() async {
    let stage = OperatorStage { $0.gate(.atLeast(.active), of: $1, buffering: .latest) }
    let (bus, upstream) = (stage.bus, stage.upstream)
    stage.downstream.onValue = { _ in
      MainActor.assertIsolated()
      return .none
    }
    await awaitOtherThread {
      upstream.send(1)
      _ = bus.send(.didBecomeActive)
    }
    await mainQueueToDrain()
    expectNoDifference(stage.trace.take(), ["1"])
    let thread = Locked<ObjectIdentifier?>(nil)
    stage.downstream.onValue = { _ in
      thread.withLock { $0 = currentThread() }
      return .none
    }
    let isSame = await awaitOtherThread {
      upstream.send(2)
      return thread.withLock { $0 } == currentThread()
    }
    #expect(isSame)
  }

  // MARK: The end

  private struct HeavyFailure: Error { let canary: Canary }

  @Test("A kept value and a waiting failure are released at the end", arguments: [true, false])
  func keptValuesAreReleased(isCancelled: Bool) {
    let bus = LifecycleBus(clock: ManualClock())
    var upstream: PassthroughSubject<Canary, HeavyFailure>? = PassthroughSubject()
    let box = UncheckedBox<any Subscription>()
    upstream!.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(
      AnySubscriber(receiveSubscription: {
        box.value = $0
        $0.request(.unlimited)
      })
    )
    weak var value: Canary?
    weak var failure: Canary?
    do {
      let canaries = [Canary(), Canary()]
      (value, failure) = (canaries[0], canaries[1])
      upstream!.send(canaries[0])
      upstream!.send(completion: .failure(HeavyFailure(canary: canaries[1])))
      upstream = nil
    }
    #expect(value != nil && failure != nil)
    if isCancelled { box.value!.cancel() } else { bus.send(.didBecomeActive) }
    #expect(value == nil && failure == nil)
    box.value = nil
  }
}

/// Every sequence of what can happen to a gate, compared with a simpler one.
@Suite("Gate machine")
struct GateMachineTests {
  enum Input: CaseIterable {
    /// The bus delivers an event that changes sides; the gate's turn comes later.
    case busMoves
    case turn
    case value
    case request
    /// Downstream's call returns.
    case returns
    /// Downstream's call returns and asks for one more.
    case returnsMore
    case completion
    case busEnds
    case cancel
  }

  static let bufferings: [LifecycleGateBuffering] = [
    .drop, .latest, .all(limit: 2, whenFull: .dropOldest), .all(limit: 2, whenFull: .dropNewest),
    .all(limit: 0, whenFull: .dropNewest),
  ]

  /// A machine, its oracle, and the bus that both follow.
  struct Run {
    var machine: GateMachine
    /// What waits: the machine knows how much, not what.
    var waiting: [Int] = []
    var oracle: GateOracle
    var bus = DeliveredState(phase: .inactive, sequenceNumber: 1)
    var owesTurn = false
    var nextValue = 1
    var inputs: [Input] = []
    var handedOut: [Int] = []
    /// What downstream has asked for, and what upstream was asked for and has sent.
    var wanted = 3
    var asked = 3
    var sent = 0

    init(_ buffering: LifecycleGateBuffering) {
      machine = GateMachine(.atLeast(.active), buffering: buffering)
      oracle = GateOracle(buffering: buffering)
      _ = machine.downstreamDidSubscribe()
      _ = machine.join(at: bus)
      _ = machine.start()
      _ = machine.request(.max(3))
      _ = machine.connect(1)
    }

    /// Whether the input can come now.
    func allows(_ input: Input) -> Bool {
      switch input {
      case .busMoves: !owesTurn && !oracle.hasBusEnded
      case .turn: owesTurn
      case .value: asked > sent && oracle.isConnected
      case .returns, .returnsMore: oracle.isCalling
      case .busEnds: !oracle.hasBusEnded && !owesTurn
      case .request, .completion, .cancel: true
      }
    }

    mutating func feed(_ input: Input) -> (real: [String], expected: [String]) {
      inputs.append(input)
      let step: OperatorStep
      switch input {
      case .busMoves:
        bus.phase = bus.phase == .active ? .inactive : .active
        bus.sequenceNumber += 1
        owesTurn = true
        return ([], [])
      case .turn:
        owesTurn = false
        step = machine.receiveState(bus)
        oracle.turn(isOpen: bus.phase == .active)
      case .value:
        let taken = machine.receiveValue(from: 1, at: bus)
        if taken != nil { waiting.append(nextValue) }
        step = taken ?? OperatorStep()
        oracle.value(nextValue, isOpen: bus.phase == .active)
        nextValue += 1
        sent += 1
      case .request:
        step = machine.request(.max(1))
        oracle.request()
        wanted += 1
      case .returns:
        step = machine.callDidReturn(.none)
        oracle.callReturned(more: 0)
      case .returnsMore:
        step = machine.callDidReturn(.max(1))
        oracle.callReturned(more: 1)
        wanted += 1
      case .completion:
        step = machine.complete(.failure, from: 1)
        oracle.completion()
      case .busEnds:
        step = machine.busDidEnd()
        oracle.busEnded()
      case .cancel:
        step = machine.cancel()
        oracle.cancelled()
      }
      asked += step.demand.max ?? 0
      return (lines(step), oracle.take())
    }

    private mutating func lines(_ step: OperatorStep) -> [String] {
      var lines: [String] = []
      switch step.upstream {
      case .cancel: lines.append("cancel")
      case .release: lines.append("release")
      case .subscribe: lines.append("subscribe")
      case .replace: lines.append("replace")
      case .time: lines.append("time")
      case nil: break
      }
      if step.demand > .none { lines.append("ask \(step.demand.max ?? 0)") }
      lines += waiting[step.dropped].map { "drop \($0)" }
      waiting.removeSubrange(step.dropped)
      switch step.call {
      case .value:
        handedOut.append(waiting.removeFirst())
        lines.append("\(handedOut.last!)")
      case .completion(let completion):
        lines.append(completion == .finished ? "finished" : "failed")
      case nil: break
      }
      return lines
    }
  }

  private func explore(_ run: Run, depth: Int, _ steps: inout Int) {
    guard depth > 0 else { return }
    for input in Input.allCases where run.allows(input) {
      var after = run
      let (real, expected) = after.feed(input)
      steps += 1
      if real != expected {
        expectNoDifference(real, expected, "\(after.inputs)")
        return
      }
      let isSorted = zip(after.handedOut, after.handedOut.dropFirst()).allSatisfy { $0 < $1 }
      if !isSorted { Issue.record("\(after.inputs) hands out \(after.handedOut)") }
      // As long as upstream goes on, downstream gets what it has asked for, and no more: it was
      // handed out, it waits, or upstream owes it.
      let accounted =
        after.handedOut.count + after.waiting.count + after.asked - after.sent
      if after.oracle.isConnected, accounted != after.wanted {
        Issue.record("\(after.inputs): \(accounted) are on their way of \(after.wanted)")
      }
      explore(after, depth: depth - 1, &steps)
    }
  }

  @Test("A gate does what a simpler one does, in every sequence", arguments: bufferings)
  func everySequence(_ buffering: LifecycleGateBuffering) {
    var steps = 0
    explore(Run(buffering), depth: 6, &steps)
    #expect(steps > 5_000)
  }

  @Test("An older state does not close or open the gate")
  func olderState() {
    var run = Run(.drop)
    _ = run.machine.receiveState(DeliveredState(phase: .active, sequenceNumber: 5))
    let old = DeliveredState(phase: .inactive, sequenceNumber: 4)
    let step = run.machine.receiveValue(from: 1, at: old)
    expectNoDifference(step?.call, .value)
  }
}

/// A gate written down as the documentation says it, with lists for everything.
struct GateOracle {
  let buffering: LifecycleGateBuffering
  private(set) var isConnected = true
  private(set) var isCalling = false
  private(set) var hasBusEnded = false
  private var isOpen = false
  /// Values that were held when the gate was seen open wait for its turn, and those after them too.
  private var waitsForTurn = false
  private var values: [Int] = []
  private var ending: String?
  private var isSilent = false
  private var lines: [String] = []

  init(buffering: LifecycleGateBuffering) {
    self.buffering = buffering
  }

  mutating func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  mutating func turn(isOpen: Bool) {
    self.isOpen = isOpen
    waitsForTurn = false
    settle()
  }

  mutating func value(_ value: Int, isOpen: Bool) {
    guard isConnected else { return lines.append("drop \(value)") }
    if isOpen && !self.isOpen && !values.isEmpty { waitsForTurn = true }
    if !isOpen { waitsForTurn = false }
    self.isOpen = isOpen
    values.append(value)
    settle()
  }

  mutating func request() {
    if isConnected { lines.append("ask 1") }
  }

  mutating func callReturned(more: Int) {
    isCalling = false
    if more > 0 { request() }
    handOut()
  }

  mutating func completion() {
    guard isConnected else { return }
    isConnected = false
    lines.append("release")
    ending = "failed"
    handOut()
  }

  mutating func busEnded() {
    hasBusEnded = true
    end()
    if ending == nil { ending = "finished" }
    handOut()
  }

  mutating func cancelled() {
    end()
    isSilent = true
  }

  private mutating func end() {
    if isConnected { lines.append("cancel") }
    isConnected = false
    lines += values.map { "drop \($0)" }
    values = []
  }

  private mutating func settle() {
    if !isOpen {
      let kept: [Int] =
        switch buffering {
        case .drop: []
        case .latest: values.suffix(1)
        case .all(let limit, .dropOldest): values.suffix(limit)
        case .all(let limit, _): Array(values.prefix(limit))
        }
      let dropped = values.filter { !kept.contains($0) }
      values = kept
      if isConnected && !dropped.isEmpty { lines.append("ask \(dropped.count)") }
      lines += dropped.map { "drop \($0)" }
    }
    handOut()
  }

  private mutating func handOut() {
    guard !isCalling, !isSilent else { return }
    if isOpen, !waitsForTurn, !values.isEmpty {
      lines.append("\(values.removeFirst())")
      isCalling = true
    } else if values.isEmpty, let ending {
      lines.append(ending)
      isSilent = true
    }
  }
}

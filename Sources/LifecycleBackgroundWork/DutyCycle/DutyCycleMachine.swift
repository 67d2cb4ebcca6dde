import LifecycleCombine
import LifecycleCore

/// A state machine that decides when to subscribe upstream and when to rest, and which values are
/// delivered.
///
/// A rest is a subscription, too, which replaces the upstream subscription, so there is one at a
/// time. The two alternate: upstream subscriptions have odd numbers, and rests even ones. The end
/// of a rest completes its subscription. The timers of bursts have negative numbers.
struct DutyCycleMachine: OperatorMachine {
  private enum Stage: Equatable {
    /// Not subscribed yet.
    case idle
    case subscribed
    /// The burst is complete, and its last value is being delivered.
    case closing
    /// `isOver` indicates that the rest ended before it began.
    case resting(isOver: Bool)
    case finished
  }

  static var resubscribes: Bool { true }

  var upstream = UpstreamState()
  var downstream = DownstreamState()
  private let burst: Int
  private let delivery: DutyCycle.Delivery
  private var stage = Stage.idle
  private var isInBackground = false
  /// The number of values of the burst so far.
  private var count = 0
  /// The number of bursts that have been timed.
  private var timerCount = 0
  /// A Boolean value that indicates whether the last waiting value may still be replaced by the
  /// next value of the burst.
  private var isHolding = false
  /// The number of values that may be delivered downstream.
  private var credit = Subscribers.Demand.none
  /// The number of values that upstream owes beyond downstream's demand: another value was
  /// requested in place of one that was delivered in the end.
  private var excess = 0
  /// The number of values that arrived while the burst was closing, and have to be requested again.
  private var debt = 0

  init(_ cycle: DutyCycle) {
    burst = cycle.burst
    delivery = cycle.delivery
  }

  static func isRest(_ number: Int) -> Bool { number.isMultiple(of: 2) }

  var canDeliver: Bool { credit > .none && downstream.waitingCount > (isHolding ? 1 : 0) }

  // MARK: The bus

  // The first subscription to upstream is in the turn in which the listener joins.
  mutating func join(at delivered: DeliveredState) -> OperatorStep {
    guard stage == .idle, !downstream.isCompleting else { return OperatorStep() }
    isInBackground = delivered.phase == .background
    stage = .subscribed
    return OperatorStep(upstream: .subscribe(upstream.open()))
  }

  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep {
    let wasInBackground = isInBackground
    isInBackground = delivered.phase == .background
    // Only the end of the bus follows `willTerminate`.
    guard isInBackground != wasInBackground, delivered.phase != .terminated,
      !downstream.isCompleting
    else { return OperatorStep() }
    let wasTimed = count > 0
    count = 0
    return isInBackground ? OperatorStep() : returnToForeground(wasTimed: wasTimed)
  }

  private mutating func returnToForeground(wasTimed: Bool) -> OperatorStep {
    let endOfTimer = wasTimed ? OperatorStep.Upstream.time(nil) : nil
    switch stage {
    case .idle, .finished: return OperatorStep()
    case .subscribed:
      endBurst()
      return OperatorStep(upstream: endOfTimer, call: firstCall())
    case .closing:
      stage = .subscribed
      return OperatorStep(upstream: endOfTimer, demand: askAgain())
    case .resting where upstream.isConnected: return resume()
    case .resting:
      // Upstream may not have been cancelled yet: the thread that cancels it continues.
      stage = .resting(isOver: true)
      return OperatorStep()
    }
  }

  mutating func busDidEnd() -> OperatorStep {
    stage = .finished
    endBurst()
    let step = finish(keepsWaiting: true)
    if step.call == .value { credit -= 1 }
    return step
  }

  // MARK: Upstream

  mutating func connect(_ number: Int) -> OperatorStep? {
    guard let demand = upstream.connect(number) else { return nil }
    return stage == .resting(isOver: true) ? resume() : OperatorStep(demand: demand)
  }

  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep? {
    guard upstream.receiveValue(from: number) else { return nil }
    guard stage == .subscribed else {
      debt += 1
      return nil
    }
    downstream.append()
    guard isInBackground else { return OperatorStep(call: firstCall()) }
    count += 1
    var step = OperatorStep()
    if count == 1, burst > 1 {
      timerCount += 1
      step.upstream = .time(-timerCount)
    }
    if isHolding {
      let position = downstream.waitingCount - 2
      step.dropped = downstream.remove(position..<(position + 1))
    }
    isHolding = delivery == .last && count < burst
    if isHolding { step.demand = ask(.max(1)) }
    if count >= burst { stage = .closing }
    step.call = firstCall()
    if stage == .closing, !downstream.isCalling { step.upstream = rest() }
    return step
  }

  mutating func complete(
    _ completion: DownstreamState.Completion,
    from number: Int
  ) -> OperatorStep {
    guard number > 0 else { return timerDidFire(number) }
    guard upstream.complete(number) else { return OperatorStep() }
    if case .resting = stage { return resume() }
    stage = .finished
    endBurst()
    downstream.complete(completion)
    return OperatorStep(leavesBus: true, upstream: .release, call: firstCall())
  }

  /// Ends the burst of a timer, unless it has ended.
  private mutating func timerDidFire(_ number: Int) -> OperatorStep {
    guard stage == .subscribed, isInBackground, count > 0, number == -timerCount else {
      return OperatorStep()
    }
    endBurst()
    stage = .closing
    var step = OperatorStep(call: firstCall())
    if !downstream.isCalling { step.upstream = rest() }
    return step
  }

  // MARK: Downstream

  mutating func request(_ demand: Subscribers.Demand) -> OperatorStep {
    credit += demand
    return OperatorStep(demand: ask(demand), call: firstCall())
  }

  mutating func callDidReturn(_ demand: Subscribers.Demand) -> OperatorStep {
    credit += demand
    var step = OperatorStep(call: downstream.nextCall(isOpen: canDeliver))
    if step.call == .value { credit -= 1 }
    // The burst is complete when no more of it can be delivered.
    if stage == .closing, step.call == nil, !downstream.isCompleting { step.upstream = rest() }
    step.demand = ask(demand)
    return step
  }

  // MARK: Steps

  private mutating func rest() -> OperatorStep.Upstream {
    stage = .resting(isOver: false)
    _ = upstream.close()
    _ = askAgain()
    return .replace(upstream.open())
  }

  private mutating func resume() -> OperatorStep {
    stage = .subscribed
    count = 0
    _ = upstream.close()
    return OperatorStep(upstream: .replace(upstream.open()))
  }

  /// Releases the last value so far for delivery.
  private mutating func endBurst() {
    guard isHolding else { return }
    isHolding = false
    if credit < .unlimited { excess += 1 }
  }

  private mutating func ask(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard let limit = demand.max else {
      excess = 0
      return upstream.request(demand)
    }
    let covered = min(excess, limit)
    excess -= covered
    return upstream.request(.max(limit - covered))
  }

  private mutating func askAgain() -> Subscribers.Demand {
    defer { debt = 0 }
    return ask(.max(debt))
  }

  private mutating func firstCall() -> DownstreamState.Call? {
    let call = downstream.firstCall(isOpen: canDeliver)
    if call == .value { credit -= 1 }
    return call
  }
}

/// The parameters that all rests and timers of a duty cycle share.
struct DutyCycleShell: Sendable {
  let cycle: DutyCycle
  let core: LifecycleBusCore
  let tasks: BackgroundTaskCoordinator
  /// The publisher that is subscribed to during rests. Unchecked, because it is subscribed to only
  /// where the bus delivers, one delivery at a time.
  let coarse: UncheckedSendable<any Publisher>?
  let onRest: @MainActor @Sendable (DutyCycle.Rest) -> Void
  let site: CallSite
}

/// The timer of the bursts of one subscription to a duty cycle. Its release stops it.
final class DutyCycleTimer: Sendable {
  private let shell: DutyCycleShell
  private let alarm: Alarm

  init(_ shell: DutyCycleShell) {
    self.shell = shell
    alarm = Alarm(shell.core.clock)
  }

  /// Starts the timer, whose firing completes the number: see `DutyCycleMachine`.
  func start(_ number: Int, for owner: OperatorSubscription) {
    let turn = ObserverRow.unregistered(on: shell.core, shell.site)
    let deadline = shell.core.clock.continuous + shell.cycle.burstDuration
    alarm.set(for: deadline) { [weak owner, core = shell.core] in
      core.perform(inTurnOf: turn) { [weak owner] in owner?.complete(nil, from: number) }
    }
  }

  func stop() {
    alarm.cancel()
  }
}

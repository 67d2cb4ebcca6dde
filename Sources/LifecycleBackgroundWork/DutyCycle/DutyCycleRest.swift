import LifecycleCombine
import LifecycleCore
import LifecycleSupport

/// A state machine that decides what keeps the process running during a rest: a publisher, or a
/// background task, which also takes over from a publisher that completes.
struct DutyCycleRestMachine: Hashable, Sendable {
  private enum Stage { case begun, subscribing, subscribed, beginningTask, holdingTask, ended }

  private var stage = Stage.begun

  /// A Boolean value that indicates whether the rest has ended.
  var hasEnded: Bool { stage == .ended }

  /// Returns whether to subscribe to the publisher.
  mutating func subscribe() -> Bool { move(from: [.begun], to: .subscribing) }

  /// Returns whether to keep the subscription, which otherwise must be cancelled.
  mutating func connect() -> Bool { move(from: [.subscribing], to: .subscribed) }

  /// Returns whether to begin a task in place of the publisher, which has completed.
  mutating func complete() -> Bool {
    move(from: [.subscribing, .subscribed], to: .beginningTask)
  }

  /// Returns whether to begin a task, as there is no publisher.
  mutating func beginTask() -> Bool { move(from: [.begun], to: .beginningTask) }

  /// Returns whether to keep the task, which otherwise must be ended.
  mutating func taskDidBegin() -> Bool { move(from: [.beginningTask], to: .holdingTask) }

  /// Ends the rest: no subscription and no task is kept after that.
  mutating func end() { stage = .ended }

  private mutating func move(from origins: Set<Stage>, to target: Stage) -> Bool {
    guard origins.contains(stage) else { return false }
    stage = target
    return true
  }
}

/// A rest of a duty cycle, as a subscription that completes when the rest ends: see
/// `DutyCycleMachine`. Cancelling it, which the operator does in any case, ends its task, its
/// subscription to the coarse publisher, and its timer.
final class DutyCycleRest: Subscription, Sendable {
  private struct State {
    var machine = DutyCycleRestMachine()
    var subscription: UncheckedSendable<any Subscription>?
    var task: BackgroundTask?
  }

  /// A task that has begun.
  private struct Grant {
    let task: BackgroundTask
    /// A Boolean value that indicates whether time was held for the task when it began, which the
    /// task no longer reports after its end.
    let wasGranted: Bool
  }

  private let number: Int
  private let shell: DutyCycleShell
  private let start: ContinuousInstant
  /// The operator, which the bus keeps alive until the rest ends.
  private weak let owner: OperatorSubscription?
  private let alarm: Alarm
  private let state = Locked(State())

  private init(_ number: Int, of shell: DutyCycleShell, owner: OperatorSubscription) {
    self.number = number
    self.shell = shell
    self.owner = owner
    start = shell.core.clock.continuous
    alarm = Alarm(shell.core.clock)
  }

  static func begin(_ number: Int, of shell: DutyCycleShell, for owner: OperatorSubscription) {
    let rest = DutyCycleRest(number, of: shell, owner: owner)
    // The task's time may be up before the operator receives the rest.
    let needsTask = shell.coarse == nil && rest.state.withLock { $0.machine.beginTask() }
    let grant = needsTask ? rest.beginTask() : nil
    owner.receive(rest, from: number)
    guard !rest.state.withLock({ $0.machine.hasEnded }) else { return }
    if let grant { rest.limit(to: grant) } else { rest.useCoarsePublisher() }
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    let (subscription, task) = state.withLock { state in
      // A task or a subscription that arrives later is not kept.
      state.machine.end()
      return (state.subscription.take(), state.task.take())
    }
    alarm.end()
    subscription?.value.cancel()
    task?.end()
  }

  // MARK: The background task

  private func beginTask() -> Grant {
    let task = shell.tasks.beginTask(named: "duty cycle") { [weak owner, number] in
      owner?.complete(nil, from: number)
    }
    let grant = Grant(task: task, wasGranted: task.isGranted || task.isExpired)
    let isKept = state.withLock { state in
      let isKept = state.machine.taskDidBegin()
      if isKept { state.task = task }
      return isKept
    }
    if !isKept { task.end() }
    return grant
  }

  private func limit(to grant: Grant) {
    // The main actor may perform the check after the end of the rest.
    if !MainQueue.isCurrent { setTimer(at: start + shell.cycle.rest) }
    MainQueue.run { self.check(grant) }
  }

  /// Compares the rest with the time that is granted, and reports its duration.
  @MainActor private func check(_ grant: Grant) {
    // The order matters: the task may end in between.
    let isGranted = grant.task.isGranted || (grant.wasGranted && grant.task.isEnded)
    let granted = DutyCycle.Rest.granted(
      of: shell.cycle.rest,
      remaining: isGranted ? shell.tasks.remainingTime : nil,
      elapsed: shell.core.clock.continuous - start
    )
    report(granted, isGranted: isGranted)
  }

  // MARK: The coarse publisher

  private func useCoarsePublisher() {
    setTimer(at: start + shell.cycle.rest)
    MainQueue.run { self.report(self.shell.cycle.rest, isGranted: true) }
    perform { $0.subscribe() }
  }

  private func subscribe() {
    guard let coarse = shell.coarse, state.withLock({ $0.machine.subscribe() }) else { return }
    subscribe(to: coarse.value)
  }

  private func subscribe(to coarse: some Publisher) {
    coarse.subscribe(CoarseLink(rest: self))
  }

  fileprivate func receive(_ subscription: any Subscription) {
    let received = UncheckedSendable(subscription)
    let isKept = state.withLock { state in
      let isKept = state.machine.connect()
      if isKept { state.subscription = received }
      return isKept
    }
    if isKept { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  fileprivate func coarsePublisherDidComplete() {
    let isResting = state.withLockDiscarding { state in
      (state.machine.complete(), state.subscription.take())
    }
    guard isResting else { return }
    let grant = beginTask()
    MainQueue.run {
      // A rest that has ended meanwhile was reported when it began.
      if !self.state.withLock({ $0.machine.hasEnded }) { self.check(grant) }
    }
  }

  // MARK: The end

  @MainActor private func report(_ granted: Duration, isGranted: Bool) {
    guard let owner, !owner.isFinished else { return }
    setTimer(at: start + granted)
    shell.onRest(
      DutyCycle.Rest(
        requested: shell.cycle.rest,
        granted: granted,
        isGranted: isGranted,
        site: shell.site
      )
    )
  }

  private func setTimer(at deadline: ContinuousInstant) {
    alarm.set(for: deadline) { [weak self] in
      self?.perform { rest in rest.owner?.complete(nil, from: rest.number) }
    }
  }

  /// Calls the closure where the bus delivers, if the rest still exists.
  private func perform(_ body: @escaping @Sendable (DutyCycleRest) -> Void) {
    let turn = ObserverRow.unregistered(on: shell.core, shell.site)
    shell.core.perform(inTurnOf: turn) { [weak self] in
      if let self { body(self) }
    }
  }
}

/// The subscriber with which a rest subscribes to its coarse publisher, whose values it ignores.
private struct CoarseLink<Input, Failure: Error>: Subscriber {
  let rest: DutyCycleRest

  var combineIdentifier: CombineIdentifier { CombineIdentifier(rest) }

  func receive(subscription: any Subscription) { rest.receive(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { .none }

  func receive(completion: Subscribers.Completion<Failure>) { rest.coarsePublisherDidComplete() }
}

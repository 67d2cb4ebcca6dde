import LifecycleCombine
import ReactiveLifecycle

/// A rest of a duty cycle, as a subscription that completes when the rest ends: see
/// `DutyCycleMachine`. Cancelling it, which the operator does in any case, ends its task and its
/// timer.
final class DutyCycleRest: Subscription, Sendable {
  private let number: Int
  private let task: BackgroundTask
  /// A Boolean value that indicates whether time was held for the task when it began, which the
  /// task no longer reports after its end.
  private let wasGranted: Bool
  private let core: LifecycleBusCore
  private let site: CallSite
  /// The operator, which the bus keeps alive until the rest ends.
  private weak let owner: OperatorSubscription?
  private let alarm: Alarm

  private init(
    number: Int,
    task: BackgroundTask,
    core: LifecycleBusCore,
    site: CallSite,
    owner: OperatorSubscription
  ) {
    self.number = number
    self.task = task
    wasGranted = task.isGranted || task.isExpired
    self.core = core
    self.site = site
    self.owner = owner
    alarm = Alarm(core.clock)
  }

  static func begin(_ number: Int, of cycle: DutyCycleShell, for owner: OperatorSubscription) {
    let start = cycle.core.clock.continuous
    // The task's time may be up before the operator receives the rest.
    let task = cycle.tasks.beginTask(named: "duty cycle") { [weak owner] in
      owner?.complete(nil, from: number)
    }
    let rest = DutyCycleRest(
      number: number,
      task: task,
      core: cycle.core,
      site: cycle.site,
      owner: owner
    )
    owner.receive(rest, from: number)
    guard !rest.alarm.hasEnded else { return }
    cycle.meter?.countRest()
    // The main actor may perform the check after the end of the rest.
    if !MainQueue.isCurrent { rest.setTimer(at: start + cycle.cycle.rest) }
    MainQueue.run { rest.check(cycle, since: start) }
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    if alarm.end() { task.end() }
  }

  /// Compares the rest with the time that is granted, and reports its duration.
  @MainActor private func check(_ shell: DutyCycleShell, since start: ContinuousInstant) {
    guard let owner, !owner.isFinished else { return }
    let cycle = shell.cycle
    // The order matters: the task may end in between.
    let isGranted = task.isGranted || (wasGranted && task.isEnded)
    let granted = DutyCycle.Rest.granted(
      of: cycle.rest,
      remaining: isGranted ? shell.tasks.remainingTime : nil,
      elapsed: core.clock.continuous - start
    )
    setTimer(at: start + granted)
    shell.onRest(
      DutyCycle.Rest(requested: cycle.rest, granted: granted, isGranted: isGranted, site)
    )
  }

  private func setTimer(at deadline: ContinuousInstant) {
    let turn = ObserverRow.unregistered(on: core, site)
    alarm.set(for: deadline) { [weak self, core] in
      core.perform(inTurnOf: turn) { [weak self] in self?.finish() }
    }
  }

  private func finish() {
    owner?.complete(nil, from: number)
  }
}

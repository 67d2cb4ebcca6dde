import LifecycleCombine
import ReactiveLifecycle

/// A rest of a duty cycle, as a subscription that completes when the rest is over: see
/// `DutyCycleMachine`. Cancelling it, which the operator does in any case, ends its task and its
/// timer.
final class DutyCycleRest: Subscription, Sendable {
  private let number: Int
  private let task: BackgroundTask
  /// Whether time was held for the task when it had begun, which it no longer says after its end.
  private let wasGranted: Bool
  private let core: LifecycleBusCore
  private let site: CallSite
  /// Until the rest ends, the bus keeps the operator alive.
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
    // Its time may be up before anything else is said of the rest.
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
    // The main actor may come to the check later than to the end of the rest.
    if !MainQueue.isCurrent { rest.setTimer(at: start + cycle.cycle.rest) }
    MainQueue.run { rest.check(cycle, since: start) }
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    if alarm.end() { task.end() }
  }

  /// Compares the rest with the time that is granted, and says how long it will be.
  @MainActor private func check(_ shell: DutyCycleShell, since start: ContinuousInstant) {
    guard let owner, !owner.isFinished else { return }
    let cycle = shell.cycle
    // In this order: it may end in between.
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

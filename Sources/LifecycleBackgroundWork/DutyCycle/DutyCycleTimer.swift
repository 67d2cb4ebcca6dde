import LifecycleCombine
import ReactiveLifecycle

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

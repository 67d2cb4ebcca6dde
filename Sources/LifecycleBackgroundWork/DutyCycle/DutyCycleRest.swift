import Dispatch
import LifecycleCombine
import ReactiveLifecycle

/// A rest of a duty cycle, as a subscription that completes when the rest is over: see
/// `DutyCycleMachine`. Cancelling it, which the operator does in any case, ends its task and its timer.
final class DutyCycleRest: Subscription, Sendable {
  private struct State {
    var isOver = false
    var timer: LifecycleTimer?
  }

  private let number: Int
  private let task: BackgroundTask
  /// Whether time was held for the task when it had begun, which it no longer says after its end.
  private let wasAssisted: Bool
  private let core: BusCore
  private let site: CallSite
  /// While nobody has ended the rest, the bus holds the operator.
  private weak let conduit: OperatorConduit?
  private let state = Locked(State())

  private init(
    _ number: Int,
    _ task: BackgroundTask,
    _ core: BusCore,
    _ site: CallSite,
    _ conduit: OperatorConduit
  ) {
    self.number = number
    self.task = task
    wasAssisted = task.isAssisted || task.isExpired
    self.core = core
    self.site = site
    self.conduit = conduit
  }

  static func begin(_ number: Int, of cycle: DutyCycleShell, for conduit: OperatorConduit) {
    let start = cycle.core.clock.continuous
    // Its time may be up before anything else is said of the rest.
    let task = cycle.tasks.begin(named: "duty cycle") { [weak conduit] in
      conduit?.complete(nil, number)
    }
    let rest = DutyCycleRest(number, task, cycle.core, cycle.site, conduit)
    conduit.receive(rest, number)
    guard !rest.isOver else { return }
    cycle.meter?.countRest()
    if MainQueue.isCurrent {
      MainActor.assumeIsolated { rest.check(cycle, since: start) }
    } else {
      rest.setTimer(at: start + cycle.cycle.rest)
      DispatchQueue.main.async { rest.check(cycle, since: start) }
    }
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    let (isFirst, timer) = state.withLock { state in
      defer { state.isOver = true }
      return (!state.isOver, state.timer.take())
    }
    timer?.cancel()
    if isFirst { task.end() }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  /// Compares the rest with the time that is granted, and says how long it will be.
  @MainActor private func check(_ shell: DutyCycleShell, since start: Duration) {
    guard let conduit, !conduit.isOver else { return }
    let cycle = shell.cycle
    // In this order: it may end in between.
    let isAssisted = task.isAssisted || (wasAssisted && task.isEnded)
    let granted = DutyCycle.Rest.granted(
      of: cycle.rest,
      remaining: isAssisted ? shell.tasks.remainingTime : nil,
      elapsed: core.clock.continuous - start
    )
    setTimer(at: start + granted)
    shell.onRest(
      DutyCycle.Rest(requested: cycle.rest, granted: granted, isAssisted: isAssisted, site)
    )
  }

  private func setTimer(at deadline: Duration) {
    guard !isOver else { return }
    let turn = ObserverRow.unregistered(on: core, site)
    let timer = core.clock.schedule(at: deadline.clamped) { [weak self, core] in
      core.perform(inTurnOf: turn) { [weak self] in self?.timeCame() }
    }
    let unwanted = state.withLock { state in
      guard !state.isOver else { return timer as LifecycleTimer? }
      defer { state.timer = timer }
      return state.timer
    }
    unwanted?.cancel()
  }

  private func timeCame() {
    conduit?.complete(nil, number)
  }
}

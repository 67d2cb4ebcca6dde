import LifecycleCore

@testable import LifecycleProcess

/// The rules of job control, kept apart from the machine: what somebody who sees only its inputs
/// and actions may see.
struct JobControlRules: Equatable {
  private enum Answer { case armed, resumed }

  /// The rule that is broken, if one is.
  private struct Verdict {
    var breach: String?
  }

  private struct ExitRequest: Equatable {
    var signal: JobControlSignal
    var since: SignalMoment
  }

  /// What observers received last.
  private var isActive: Bool
  /// The answer that the machine waits for.
  private var owed: Answer?
  private var isArmed = false
  /// Whether a stop was announced that has not happened yet.
  private var isAnnounced = false
  /// Whether observers are waited for.
  private var isWaiting = false
  /// Whether the time of tasks counts.
  private var isCounting = false
  /// Whether tasks may hold the process up.
  private var areTasksHeld = false
  /// The `SIGTSTP`s that have not stopped the process yet.
  private var stopsLeft = 0
  private var isEndAnnounced = false
  private var isHurried = false
  private var isDead = false
  /// The signals that request a reload.
  private let reload: ProcessSignalSource.Signals
  /// Whether observers are asked before an end.
  private let requestsExit: Bool
  /// The signal that observers are asked about, and when the first one came.
  private var exitRequest: ExitRequest?
  /// Whether observers agreed to the end, or are no longer asked.
  private var isEndAllowed: Bool
  /// When the first `SIGTERM` or `SIGINT` of the end came; nil if a hang-up alone has led to it.
  private var firstEnd: SignalMoment?
  /// When the signal came to which observers have agreed.
  private var agreedSince: SignalMoment?
  /// Whether the end was announced that observers and tasks are waited for before.
  private var isWaitedForAtEnd = false
  /// Whether the input is a signal that comes late enough after that one to be a second.
  private var isSecond = false

  init(terminal: ControllingTerminal.State, reload: ProcessSignalSource.Signals, requestsExit: Bool)
  {
    isActive = terminal == .foreground
    self.reload = reload
    self.requestsExit = requestsExit
    isEndAllowed = !requestsExit
  }

  /// Takes an input with the actions that it led to. Returns the rule that they break.
  mutating func breach(
    by input: JobControlInput,
    _ actions: [JobControlAction],
    after machine: JobControlMachine
  ) -> String? {
    if isDead { return actions.isEmpty ? nil : "nothing follows the end" }
    switch (owed, input) {
    case (.armed, .armed), (.resumed, .resumed): owed = nil
    case (nil, _): break
    default: return actions.isEmpty ? nil : "nothing happens before an answer"
    }
    if case .signal(.hangUp, let moment) = input, reload.contains(.hangUp) {
      let request = JobControlAction.announce(
        .reloadRequest,
        signal: .hangUp,
        at: moment,
        isAwaited: false
      )
      let isRequested = !isEndAnnounced && owed == nil
      let rest: [JobControlAction] = machine.isIdle ? [.readTerminal(because: nil)] : []
      return actions == (isRequested ? [request] + rest : []) ? nil : "a reload is only announced"
    }
    if requestsExit, !isEndAnnounced, owed == nil {
      if let verdict = verdict(onQuestionAfter: input, actions) { return verdict.breach }
    }
    isSecond = false
    if isWaitedForAtEnd, case .signal(let signal, let moment) = input,
      signal == .terminate || signal == .interrupt
    {
      if let firstEnd { isSecond = moment.continuous - firstEnd.continuous >= 300_000_000 }
      firstEnd = firstEnd ?? moment
    }
    // One at zero belongs to a stop that is over.
    if case .signal(.stop, let moment) = input, moment != .zero { stopsLeft += 1 }
    let isTimeUp = isHurried && input == .deadlinePassed
    if input == .tasksFinished, !isWaiting, areTasksHeld {
      areTasksHeld = false
      if actions.isEmpty { return "what waits for tasks alone follows their end" }
    }
    if isTimeUp { areTasksHeld = false }
    if input == .deliveriesFinished || input == .deadlinePassed { isWaiting = false }
    for action in actions {
      if isDead { return "nothing follows the end" }
      if owed != nil { return "an action that is answered is the last" }
      if let breach = breach(by: action) { return breach }
    }
    if isSecond, !isHurried { return "a second signal hurries" }
    if isTimeUp, !isDead { return "those who were hurried are not waited for any longer" }
    if case .terminal(.gone, _) = input, machine.needsPolling { return "no poll after a hang-up" }
    return breach(in: machine)
  }

  /// What an exit request makes of an input. Returns nil if the other rules apply to it as well.
  private mutating func verdict(
    onQuestionAfter input: JobControlInput,
    _ actions: [JobControlAction]
  ) -> Verdict? {
    switch input {
    case .signal(let signal, let moment) where [.terminate, .interrupt, .hangUp].contains(signal):
      guard let asked = exitRequest else {
        exitRequest = ExitRequest(signal: signal, since: moment)
        let isRequest = actions == [.requestExit(signal)]
        return Verdict(breach: isRequest ? nil : "a signal is a request first")
      }
      let age = moment.continuous - asked.since.continuous
      if signal != .hangUp, asked.signal == .hangUp {
        exitRequest = ExitRequest(signal: signal, since: moment)
      } else if signal != .hangUp, age >= 300_000_000 {
        exitRequest = nil
        isEndAllowed = true
        return actions.first == .withdrawExitRequest
          ? nil : Verdict(breach: "who insists is not asked")
      }
      if signal != .hangUp { exitRequest?.signal = signal }
      return Verdict(breach: actions.isEmpty ? nil : "asked once")
    case .exitAnswered(let isCancelled, _):
      let asked = exitRequest.take()
      guard let asked, !isCancelled else {
        return Verdict(breach: actions.isEmpty ? nil : "nothing follows")
      }
      isEndAllowed = true
      agreedSince = asked.signal == .hangUp ? nil : asked.since
      return actions.isEmpty ? Verdict(breach: "the end follows an agreement") : nil
    default: return nil
    }
  }

  private mutating func breach(by action: JobControlAction) -> String? {
    switch action {
    case .announce(.didBecomeActive, _, _, let isAwaited):
      if isActive { return "active once between two backgrounds" }
      if isAwaited || isArmed || isWaiting { return "not active in the middle of a stop" }
      isActive = true
    case .announce(.didEnterBackground, _, _, let isAwaited):
      if isAwaited != isArmed { return "a stop is armed, then announced, then awaited" }
      if !isAwaited, !isActive { return "background without a stop only from active" }
      if isAwaited != isCounting { return "what waits has tasks wait" }
      isActive = false
      isAnnounced = isAwaited
      isWaiting = isAwaited
    case .requestExit, .withdrawExitRequest:
      return requestsExit ? nil : "only those who wish it are asked"
    case .announce(.willTerminate, _, _, _) where !isEndAllowed || exitRequest != nil:
      return "nothing ends before observers agree"
    case .announce(.willTerminate, let signal, let moment, let isAwaited):
      if isEndAnnounced { return "the end is announced once" }
      firstEnd = signal == .hangUp ? nil : agreedSince ?? moment
      isWaitedForAtEnd = isAwaited
      if isAwaited != isCounting { return "what waits has tasks wait" }
      isEndAnnounced = true
      isWaiting = isAwaited
    case .announce:
      return "only a request leads to a reload"
    case .startGrace(let occasion):
      if (occasion == .stop) != isArmed { return "tasks receive what they delay" }
      isCounting = true
      areTasksHeld = true
    case .endGrace:
      if !isCounting { return "only what counts ends" }
      if isArmed { return "time counts while a stop is pending" }
      isCounting = false
      areTasksHeld = false
    case .armStop:
      if isArmed { return "armed once" }
      isArmed = true
      owed = .armed
    case .disarmStop:
      if !isArmed { return "only an armed stop is disarmed" }
      isArmed = false
    case .stop:
      if !isArmed || !isAnnounced || isActive { return "a stop is announced before" }
      if isWaiting { return "a stop waits for its observers" }
      if areTasksHeld { return "a stop waits for tasks" }
      if stopsLeft == 0 { return "a SIGTSTP stops at most once" }
      stopsLeft = 0
      isArmed = false
      isAnnounced = false
      owed = .resumed  // with a reading of the terminal
    case .die:
      if !isEndAnnounced { return "the end is announced before" }
      if isArmed { return "no stop is pending at the end" }
      if areTasksHeld { return "the end waits for tasks, unless it is hurried" }
      if isWaiting { return "observers finish, or the deadline passes, before the end" }
      isDead = true
    case .hurry:
      if !isEndAnnounced || !isCounting { return "only those who receive the end are hurried" }
      if isHurried { return "hurried once" }
      if !isSecond { return "two within three tenths of a second are one" }
      isHurried = true
    case .readTerminal:
      isWaiting = false  // for a stop that was given up
    case .reportOverrun:
      if isWaiting { return "late only at the deadline" }
    }
    return nil
  }

  private func breach(in machine: JobControlMachine) -> String? {
    if machine.needsPolling, isActive || isWaiting { return "polls only in the background" }
    if machine.isIdle, exitRequest != nil { return "not idle while observers are asked" }
    if machine.isIdle, isWaiting { return "not idle while observers are waited for" }
    if machine.isIdle, isArmed { return "no stop is left armed" }
    if machine.isIdle, isCounting { return "no time counts while the process runs" }
    if isArmed, isAnnounced, owed == nil, !isCounting { return "time counts while a stop waits" }
    if machine.awaitsTasks != (areTasksHeld && !isWaiting && owed == nil) {
      return "awaits tasks when all else is over"
    }
    switch machine.activity {
    case .arming where owed != .armed, .stopped where owed != .resumed:
      return "waits for no answer that nobody owes"
    case .suspending where !isAnnounced, .ending(_, _, isNotified: false) where !isWaiting:
      return "waits for nothing that was not announced"
    case .running where owed != nil:
      return "not idle while an answer is owed"
    default: break
    }
    if machine.isIdle, isActive != (machine.terminal == .foreground) {
      return "observers know what the last reading showed"
    }
    return nil
  }
}

import LifecycleCore

/// An input of a `JobControlMachine`.
enum JobControlInput: Hashable, Sendable {
  /// A signal was sent to the process at the given moment.
  case signal(JobControlSignal, at: SignalMoment)
  /// The answer to `armStop`: the stop is pending in the kernel, or it was taken back by a
  /// `SIGCONT` that was sent after the `SIGTSTP`.
  case armed(isCancelled: Bool)
  /// Every observer of the last awaited announcement has returned.
  case deliveriesFinished
  /// The deadline of the last awaited announcement passed with observers still running.
  case deadlinePassed
  /// Tasks no longer delay the process: all have ended, or the handlers of those whose time was up
  /// were called, or could not be called in time. Sent only while the machine `awaitsTasks`.
  case tasksFinished
  /// The answer to `requestExit`, at the given moment: an observer cancels the end of the process,
  /// or none does in time.
  case exitAnswered(isCancelled: Bool, at: SignalMoment)
  /// The answer to `stop`: the process continues, or the kernel did not stop it.
  case resumed(at: SignalMoment, ControllingTerminal.State)
  /// The terminal was read: because of a `SIGCONT` sent at the given moment or, if that is nil,
  /// because a reading was due.
  case terminal(ControllingTerminal.State, because: SignalMoment?)
}

/// An instruction of a `JobControlMachine`.
///
/// An action that has an answer, or a reading of the terminal, is the last one of an input.
enum JobControlAction: Hashable, Sendable {
  /// Notify all buses. An awaited announcement is followed by `deliveriesFinished` or
  /// `deadlinePassed`, unless another awaited announcement comes first.
  case announce(LifecycleEvent.Kind, signal: JobControlSignal?, at: SignalMoment?, isAwaited: Bool)
  /// Make a stop pending in the kernel, check for a `SIGCONT` since the given moment, and answer
  /// with `armed`.
  case armStop(since: SignalMoment)
  /// Take the pending stop back.
  case disarmStop
  /// Let the pending stop happen, and answer with `resumed`.
  case stop
  /// Ask the observers whether the signal may end the process, and send `exitAnswered` when they
  /// have answered or their time is up.
  case requestExit(JobControlSignal)
  /// Withdraw the exit request.
  case withdrawExitRequest
  /// Read the terminal, and answer with `terminal`.
  case readTerminal(because: SignalMoment?)
  /// A stop or the end waits for its tasks from now on, for as long as the host of each task
  /// grants.
  case startGrace(of: ProcessTaskMachine.Occasions)
  /// The process continues: tasks no longer delay anything.
  case endGrace
  /// Limit the time of observers and tasks to a moment, counted from the announcement. If they use
  /// all of it, the answer is `deadlinePassed`.
  case hurry
  /// Report the observers that are late.
  case reportOverrun
  /// End the process by the signal.
  case die(JobControlSignal)
}

/// A state machine that decides how a process under job control responds to signals and its
/// terminal.
///
/// Its inputs are signals, readings of the terminal, and the ends of deliveries and of tasks; its
/// outputs are announcements, the stop and the end of the process. It knows no clock, no thread and
/// no system call, so that a test can try every sequence of inputs. `SignalLoop` performs its
/// actions in order.
///
/// `armStop` and `stop` require an answer, `armed` and `resumed`. Until the answer arrives, every
/// other input is ignored: the thread that would provide it is the one that performs the action.
struct JobControlMachine: Hashable, Sendable {
  /// An activity that the process is in the middle of.
  enum Activity: Hashable, Sendable {
    /// Nothing.
    case running
    /// A stop was requested at the given moment and is being made pending in the kernel. If
    /// `isAnnounced` is true, it follows a stop that was taken back, and observers are already
    /// being notified.
    case arming(requested: SignalMoment, isAnnounced: Bool)
    /// Observers are being notified. After them and the tasks, the process stops, unless a
    /// `SIGCONT` has cancelled the stop (`isCancelled`).
    case suspending(requested: SignalMoment, isCancelled: Bool)
    /// Observers were notified of the stop, and the machine waits for tasks.
    case holdingStop(requested: SignalMoment)
    /// The process is stopping or stopped.
    case stopped
    /// The signal ends the process after the observers and the tasks. If `isHurried` is true, they
    /// have little time left. If `isNotified` is true, observers were notified, and the machine
    /// waits for tasks.
    case ending(JobControlSignal, isHurried: Bool, isNotified: Bool)
    /// The process ends.
    case ended
  }

  /// A request to the observers: whether a signal may end the process.
  private struct ExitRequest: Hashable, Sendable {
    /// The last signal that the request is about.
    var signal: JobControlSignal
    /// The moment of the first `SIGTERM` or `SIGINT`; of the hang-up until one of them comes.
    var moment: SignalMoment
  }

  /// The time, in nanoseconds, within which a second signal means the same as the first: observers
  /// have it even if another signal hurries them.
  ///
  /// Programs such as timeout(1) and systemd send two signals at once, and mean one; npm passes on
  /// the Ctrl-C that its child has received, too.
  static let leastTime: Int64 = 300_000_000

  /// The party that ends the process.
  var termination: ProcessSignalSource.Termination = .reraise
  /// The signals that request a reload instead of ending the process.
  var reloads: ProcessSignalSource.Signals = []
  /// A Boolean value that indicates whether observers are asked before a signal ends the process.
  var requestsExit = false
  /// The signals that end the process at once when they come second.
  var insisting: [JobControlSignal] = [.terminate, .interrupt]

  /// The activity that the process is in the middle of.
  private(set) var activity: Activity = .running
  /// The state of the terminal at the last reading; `background` once a stop is announced.
  private(set) var terminal: ControllingTerminal.State
  /// A Boolean value that indicates whether `willTerminate` has been announced.
  ///
  /// The process may continue after that if another party ends it.
  private var isTerminationAnnounced = false
  /// The exit request that observers have not answered; nil if there is none. The process runs and
  /// stops meanwhile.
  private var exitRequest: ExitRequest?
  /// The moment of the first `SIGTERM` or `SIGINT` of those that end the process and mean one; nil
  /// if only a hang-up ends it.
  private var endRequest: SignalMoment?
  /// The moment of the last continuation after a stop; an older `SIGTSTP` belongs to that stop.
  private var lastResume = SignalMoment.zero

  /// Creates a machine for a process whose terminal is in the given state.
  init(terminal: ControllingTerminal.State) {
    self.terminal = terminal
  }

  /// A Boolean value that indicates whether nothing is under way: no observer is awaited.
  var isIdle: Bool { activity == .running && exitRequest == nil }

  /// A Boolean value that indicates whether a stop is under way, which a `SIGCONT` concerns.
  var isStopping: Bool {
    switch activity {
    case .arming, .suspending, .holdingStop, .stopped: true
    case .running, .ending, .ended: false
    }
  }

  /// A Boolean value that indicates whether a signal is ending the process.
  var isEnding: Bool {
    switch activity {
    case .ending, .ended: true
    case .running, .arming, .suspending, .holdingStop, .stopped: false
    }
  }

  /// A Boolean value that indicates whether a signal is ending the process, or ends it unless an
  /// observer cancels that.
  var mayEnd: Bool { isTerminationAnnounced || exitRequest != nil }

  /// Returns whether the signal ends the process.
  func endsProcess(_ signal: JobControlSignal) -> Bool {
    signal.isEnd && !reloads.includes(signal) && termination == .reraise
  }

  /// The last signal about which observers are being asked; nil if they are not.
  var signalOfExitRequest: JobControlSignal? { exitRequest?.signal }

  /// A Boolean value that indicates whether only polling can detect a return to the foreground.
  ///
  /// A shell's `fg` sends no signal to a running job.
  var needsPolling: Bool { activity == .running && terminal == .background }

  /// A Boolean value that indicates whether the machine waits for tasks alone.
  var awaitsTasks: Bool {
    switch activity {
    case .holdingStop, .ending(_, _, isNotified: true): true
    default: false
    }
  }

  /// Handles one input and returns the actions to perform, in order.
  mutating func handle(_ input: JobControlInput) -> [JobControlAction] {
    switch input {
    case .signal(let signal, let moment) where signal.isEnd && reloads.includes(signal):
      reload(signal, moment)
    case .signal(let signal, let moment) where signal.isEnd && mayRequestExit:
      requestExit(signal, moment)
    case .exitAnswered(let isCancelled, let moment):
      endExitRequest(isCancelled: isCancelled, moment)
    default:
      respond(to: input)
    }
  }

  /// The table of what follows from an input in an activity; nothing from any other.
  private mutating func respond(to input: JobControlInput) -> [JobControlAction] {
    switch (activity, input) {
    case (.running, .signal(.stop, let moment)) where moment > lastResume:
      activity = .arming(requested: moment, isAnnounced: false)
      return [.armStop(since: moment)]
    case (.running, .signal(.continue, let moment)):
      return [.readTerminal(because: moment)]
    case (.running, .signal(let signal, let moment)) where signal.isEnd:
      return terminate(signal, moment)
    case (.running, .terminal(let state, let moment)):
      return read(state, signal: moment.map { _ in .continue }, moment)

    case (.arming(_, isAnnounced: false), .armed(isCancelled: true)):
      activity = .running
      return [.disarmStop]
    case (.arming(let requested, isAnnounced: false), .armed(isCancelled: false)):
      activity = .suspending(requested: requested, isCancelled: false)
      terminal = .background
      return [
        .startGrace(of: .stop),
        .announce(.didEnterBackground, signal: .stop, at: requested, isAwaited: true),
      ]
    case (.arming(let requested, isAnnounced: true), .armed(let isCancelled)):
      activity = .suspending(requested: requested, isCancelled: isCancelled)
      return [isCancelled ? .disarmStop : .startGrace(of: .stop)]

    case (.suspending(let requested, isCancelled: true), .signal(.stop, let moment))
    where moment > requested:
      activity = .arming(requested: moment, isAnnounced: true)
      return [.armStop(since: moment)]
    case (.suspending(let requested, isCancelled: false), .signal(.continue, let moment))
    where moment >= requested:
      activity = .suspending(requested: requested, isCancelled: true)
      return [.disarmStop, .endGrace]
    case (.suspending(_, let isCancelled), .signal(let signal, let moment)) where signal.isEnd:
      return terminate(signal, moment, insteadOfStop: !isCancelled)
    case (.suspending(let requested, let isCancelled), .deliveriesFinished),
      (.suspending(let requested, let isCancelled), .deadlinePassed):
      activity = isCancelled ? .running : .holdingStop(requested: requested)
      let report: [JobControlAction] = input == .deadlinePassed ? [.reportOverrun] : []
      return report + (isCancelled ? [.readTerminal(because: nil)] : [])

    case (.holdingStop(let requested), .signal(.continue, let moment)) where moment >= requested:
      activity = .running
      return [.disarmStop, .endGrace, .readTerminal(because: nil)]
    case (.holdingStop, .signal(let signal, let moment)) where signal.isEnd:
      return terminate(signal, moment, insteadOfStop: true)
    case (.holdingStop, .tasksFinished):
      activity = .stopped
      return [.stop]

    case (.stopped, .resumed(let moment, let state)):
      activity = .running
      lastResume = moment
      return [.endGrace] + read(state, signal: nil, moment)

    // A hang-up is not counted. It may be accompanied by a SIGTERM, for example from systemd, which
    // does not repeat it.
    case (.ending(_, let isHurried, let isNotified), .signal(let signal, let moment))
    where signal == .terminate || signal == .interrupt:
      let first = endRequest ?? moment
      endRequest = first
      let isLate = moment.continuous - first.continuous >= Self.leastTime
      let isSecond = isLate && insisting.contains(signal)
      activity = .ending(signal, isHurried: isHurried || isSecond, isNotified: isNotified)
      return isSecond && !isHurried ? [.hurry] : []
    case (.ending(let signal, isHurried: true, _), .deadlinePassed),
      (.ending(let signal, _, isNotified: true), .tasksFinished):
      activity = .ended
      return [.die(signal)]
    case (.ending(let signal, let isHurried, isNotified: false), .deliveriesFinished),
      (.ending(let signal, let isHurried, isNotified: false), .deadlinePassed):
      activity = .ending(signal, isHurried: isHurried, isNotified: true)
      return input == .deadlinePassed ? [.reportOverrun] : []

    default:
      return []
    }
  }

  private mutating func read(
    _ state: ControllingTerminal.State,
    signal: JobControlSignal?,
    _ moment: SignalMoment?
  ) -> [JobControlAction] {
    let before = terminal
    terminal = state
    guard (state == .foreground) != (before == .foreground) else { return [] }
    let kind: LifecycleEvent.Kind = state == .foreground ? .didBecomeActive : .didEnterBackground
    return [.announce(kind, signal: signal, at: moment, isAwaited: false)]
  }

  /// Announces the end in the middle of a stop, which is abandoned.
  ///
  /// - Parameter isArmed: True if the stop is pending; false if it was taken back.
  private mutating func terminate(
    _ signal: JobControlSignal,
    _ moment: SignalMoment,
    insteadOfStop isArmed: Bool
  ) -> [JobControlAction] {
    activity = .running
    let end = terminate(signal, moment)
    let disarm: [JobControlAction] = isArmed ? [.disarmStop] : []
    guard activity == .running else { return disarm + end }
    // Another party ends the process, which continues until then.
    return disarm + (isArmed ? [.endGrace] : []) + end + [.readTerminal(because: nil)]
  }

  private mutating func terminate(
    _ signal: JobControlSignal,
    _ moment: SignalMoment
  ) -> [JobControlAction] {
    let isAwaited = termination == .reraise
    // The party that ends the process was notified before; it also handles the signals that follow.
    guard isAwaited || !isTerminationAnnounced else { return [] }
    isTerminationAnnounced = true
    if isAwaited {
      activity = .ending(signal, isHurried: false, isNotified: false)
      endRequest = signal == .hangUp ? nil : moment
    }
    return (isAwaited ? [.startGrace(of: .end)] : [])
      + [.announce(.willTerminate, signal: signal, at: moment, isAwaited: isAwaited)]
  }

  /// Announces a request to reload, for which nothing waits.
  private func reload(_ signal: JobControlSignal, _ moment: SignalMoment) -> [JobControlAction] {
    guard !isTerminationAnnounced else { return [] }
    let request = JobControlAction.announce(
      .reloadRequest,
      signal: signal,
      at: moment,
      isAwaited: false
    )
    switch activity {
    // The signal may mean that the terminal hung up.
    case .running: return [request, .readTerminal(because: nil)]
    case .suspending, .holdingStop: return [request]
    case .arming, .stopped, .ending, .ended: return []
    }
  }

  // MARK: Asking before the end

  /// A Boolean value that indicates whether a signal leads to an exit request, or concerns one.
  private var mayRequestExit: Bool {
    switch activity {
    case .running, .suspending, .holdingStop:
      (requestsExit && !isTerminationAnnounced) || exitRequest != nil
    case .arming, .stopped, .ending, .ended: false
    }
  }

  private mutating func requestExit(
    _ signal: JobControlSignal,
    _ moment: SignalMoment
  ) -> [JobControlAction] {
    guard let exitRequest else {
      self.exitRequest = ExitRequest(signal: signal, moment: moment)
      return [.requestExit(signal)]
    }
    guard signal != .hangUp else { return [] }
    // A hang-up may be accompanied by a SIGTERM.
    if exitRequest.signal == .hangUp { self.exitRequest?.moment = moment }
    self.exitRequest?.signal = signal
    let isLate = moment.continuous - exitRequest.moment.continuous >= Self.leastTime
    guard exitRequest.signal != .hangUp, isLate, insisting.contains(signal) else { return [] }
    self.exitRequest = nil
    return [.withdrawExitRequest] + respond(to: .signal(signal, at: moment))
  }

  private mutating func endExitRequest(
    isCancelled: Bool,
    _ moment: SignalMoment
  ) -> [JobControlAction] {
    switch activity {
    case .arming, .stopped: return []
    default: break
    }
    guard let exitRequest = exitRequest.take(), !isCancelled else { return [] }
    let actions = respond(to: .signal(exitRequest.signal, at: moment))
    if endRequest != nil { endRequest = exitRequest.moment }
    return actions
  }
}

/// A state machine that decides how a process under job control responds to signals and its
/// terminal.
///
/// Its inputs are signals, readings of the terminal, and the ends of deliveries and of tasks; its
/// outputs are announcements, the stop and the end of the process. It knows no clock, no thread and
/// no system call, so that a test can try every sequence of inputs. `ProcessSignalEngine` performs
/// its actions in order.
///
/// `armStop` and `stop` require an answer, `armed` and `resumed`. Until the answer arrives, every
/// other input is ignored: the thread that would provide it is the one that performs the action.
package struct JobControlMachine: Hashable, Sendable {
  /// An activity that the process is in the middle of.
  package enum Activity: Hashable, Sendable {
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

  /// The activity that the process is in the middle of.
  package internal(set) var activity: Activity = .running
  /// The state of the terminal at the last reading; `background` once a stop is announced.
  package internal(set) var terminal: TerminalState
  /// A Boolean value that indicates whether `willTerminate` has been announced.
  ///
  /// The process may continue after that if another party ends it.
  package internal(set) var isTerminationAnnounced = false
  /// The party that ends the process.
  package var termination: ProcessSignalSource.Termination = .reraise
  /// The signals that request a reload instead of ending the process.
  package var reloads: ProcessSignalSource.Signals = []
  /// A Boolean value that indicates whether observers are asked before a signal ends the process.
  package var asks = false

  /// The signal about which observers are being asked; nil if they are not. The process runs and
  /// stops meanwhile.
  package internal(set) var question: Question?

  /// The time, in nanoseconds, within which a second signal means the same as the first: observers
  /// have it even if another signal hurries them.
  ///
  /// Programs such as timeout(1) and systemd send two signals at once, and mean one; npm passes on
  /// the Ctrl-C that its child has received, too.
  package static let leastTime: Int64 = 300_000_000

  /// The moment of the first `SIGTERM` or `SIGINT` of those that end the process and mean one; nil
  /// if only a hang-up ends it.
  var endRequest: SignalMoment?
  /// The moment of the last continuation after a stop; an older `SIGTSTP` belongs to that stop.
  private var lastResume = SignalMoment.zero

  /// Creates a machine for a process whose terminal is in the given state.
  package init(terminal: TerminalState) {
    self.terminal = terminal
  }

  /// A Boolean value that indicates whether nothing is under way: no observer is awaited.
  package var isIdle: Bool { activity == .running && question == nil }

  /// A Boolean value that indicates whether a stop is under way, which a `SIGCONT` concerns.
  package var isStopping: Bool {
    switch activity {
    case .arming, .suspending, .holdingStop, .stopped: true
    case .running, .ending, .ended: false
    }
  }

  /// A Boolean value that indicates whether a signal is ending the process.
  package var isEnding: Bool {
    switch activity {
    case .ending, .ended: true
    default: false
    }
  }

  /// A Boolean value that indicates whether a signal is ending the process, or ends it unless an
  /// observer cancels that.
  package var mayEnd: Bool { isTerminationAnnounced || question != nil }

  /// A Boolean value that indicates whether only polling can detect a return to the foreground.
  ///
  /// A shell's `fg` sends no signal to a running job.
  package var needsPolling: Bool { activity == .running && terminal == .background }

  /// A Boolean value that indicates whether the machine waits for tasks alone.
  package var awaitsTasks: Bool {
    switch activity {
    case .holdingStop, .ending(_, _, isNotified: true): true
    default: false
    }
  }

  /// Handles one input and returns the actions to perform, in order.
  package mutating func handle(_ input: JobControlInput) -> [JobControlAction] {
    switch input {
    case .signal(let signal, let moment) where signal.isEnd && reloads.includes(signal):
      reload(signal, moment)
    case .signal(let signal, let moment) where signal.isEnd && mayAsk:
      ask(signal, moment)
    case .exitAnswered(let isCancelled, let moment):
      endQuestion(isCancelled: isCancelled, moment)
    default:
      respond(to: input)
    }
  }

  mutating func respond(to input: JobControlInput) -> [JobControlAction] {
    switch activity {
    case .running: whileRunning(input)
    case .arming(let requested, let isAnnounced): whileArming(input, requested, isAnnounced)
    case .suspending(let requested, let isCancelled):
      whileSuspending(input, requested, isCancelled)
    case .holdingStop(let requested): whileHoldingStop(input, requested)
    case .stopped: whileStopped(input)
    case .ending(let signal, let isHurried, let isNotified):
      whileEnding(input, signal, isHurried, isNotified)
    case .ended: []
    }
  }
}

extension JobControlMachine {
  private mutating func whileRunning(_ input: JobControlInput) -> [JobControlAction] {
    switch input {
    case .signal(.stop, let moment):
      guard moment > lastResume else { return [] }
      activity = .arming(requested: moment, isAnnounced: false)
      return [.armStop(since: moment)]
    case .signal(.continue, let moment):
      return [.readTerminal(because: moment)]
    case .signal(let signal, let moment):
      return terminate(signal, moment)
    case .terminal(let state, let moment):
      return read(state, signal: moment.map { _ in .continue }, moment)
    case .armed, .deliveriesFinished, .deadlinePassed, .tasksFinished, .resumed, .exitAnswered:
      return []
    }
  }

  private mutating func whileArming(
    _ input: JobControlInput,
    _ requested: SignalMoment,
    _ isAnnounced: Bool
  ) -> [JobControlAction] {
    guard case .armed(let isCancelled) = input else { return [] }
    if isAnnounced {
      activity = .suspending(requested: requested, isCancelled: isCancelled)
      if !isCancelled { return [.startGrace(of: .stop)] }
    } else if isCancelled {
      activity = .running
    } else {
      activity = .suspending(requested: requested, isCancelled: false)
      terminal = .background
      return [
        .startGrace(of: .stop),
        .announce(.background, signal: .stop, at: requested, isAwaited: true),
      ]
    }
    return isCancelled ? [.disarmStop] : []
  }

  private mutating func whileSuspending(
    _ input: JobControlInput,
    _ requested: SignalMoment,
    _ isCancelled: Bool
  ) -> [JobControlAction] {
    switch input {
    case .signal(.stop, let moment):
      guard isCancelled, moment > requested else { return [] }
      activity = .arming(requested: moment, isAnnounced: true)
      return [.armStop(since: moment)]
    case .signal(.continue, let moment):
      guard !isCancelled, moment >= requested else { return [] }
      activity = .suspending(requested: requested, isCancelled: true)
      return [.disarmStop, .endGrace]
    case .signal(let signal, let moment):
      return terminate(signal, moment, insteadOfStop: !isCancelled)
    case .deliveriesFinished:
      return finishSuspending(requested, isCancelled)
    case .deadlinePassed:
      return [.reportOverrun] + finishSuspending(requested, isCancelled)
    case .armed, .tasksFinished, .resumed, .terminal, .exitAnswered:
      return []
    }
  }

  private mutating func whileHoldingStop(
    _ input: JobControlInput,
    _ requested: SignalMoment
  ) -> [JobControlAction] {
    switch input {
    case .signal(.continue, let moment):
      guard moment >= requested else { return [] }
      activity = .running
      return [.disarmStop, .endGrace, .readTerminal(because: nil)]
    case .signal(let signal, let moment) where signal != .stop:
      return terminate(signal, moment, insteadOfStop: true)
    case .tasksFinished:
      activity = .stopped
      return [.stop]
    case .signal, .armed, .deliveriesFinished, .deadlinePassed, .resumed, .terminal,
      .exitAnswered:
      return []
    }
  }

  private mutating func whileStopped(_ input: JobControlInput) -> [JobControlAction] {
    guard case .resumed(let moment, let state) = input else { return [] }
    activity = .running
    lastResume = moment
    return [.endGrace] + read(state, signal: nil, moment)
  }
}

extension JobControlMachine {
  private mutating func finishSuspending(
    _ requested: SignalMoment,
    _ isCancelled: Bool
  ) -> [JobControlAction] {
    activity = isCancelled ? .running : .holdingStop(requested: requested)
    return isCancelled ? [.readTerminal(because: nil)] : []
  }

  private mutating func read(
    _ state: TerminalState,
    signal: JobControlSignal?,
    _ moment: SignalMoment?
  ) -> [JobControlAction] {
    let before = terminal
    terminal = state
    guard (state == .foreground) != (before == .foreground) else { return [] }
    let kind: JobControlAction.Announcement = state == .foreground ? .active : .background
    return [.announce(kind, signal: signal, at: moment, isAwaited: false)]
  }
}

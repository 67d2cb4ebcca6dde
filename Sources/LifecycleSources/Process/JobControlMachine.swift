/// Decides what a process under job control does about its signals and its terminal.
///
/// Signals, readings of the terminal, the ends of deliveries and of tasks go in; announcements, the stop and
/// the death of the process come out. It knows no clock, no thread and no system call, so that a
/// test can try every sequence of inputs. `ProcessSignalEngine` performs its actions in order.
///
/// `armStop` and `stop` ask for an answer, `armed` and `resumed`. Until it comes every other
/// input is ignored: the thread that would offer it is the one that performs the action.
package struct JobControlMachine: Hashable, Sendable {
  /// What the process is in the middle of.
  package enum Activity: Hashable, Sendable {
    /// Nothing.
    case running
    /// A stop was asked for at the moment and is being made pending in the kernel. With
    /// `isAnnounced` it follows one that was taken back: observers are being told already.
    case arming(requested: SignalMoment, isAnnounced: Bool)
    /// Observers are being told; after them, and the tasks, the process stops, unless a `SIGCONT` has
    /// `isCancelled` the stop.
    case suspending(requested: SignalMoment, isCancelled: Bool)
    /// Observers were told of the stop, and tasks are waited for.
    case holdingStop(requested: SignalMoment)
    /// The process stops or is stopped.
    case stopped
    /// Observers are being told; after them, and the tasks, the process dies by the signal. With
    /// `isHurried` they have little time left.
    case terminating(JobControlSignal, isHurried: Bool)
    /// Observers were told of the end, and tasks are waited for.
    case holdingEnd(JobControlSignal, isHurried: Bool)
    /// The process dies.
    case ended
  }

  /// What the process is in the middle of.
  package private(set) var activity: Activity = .running
  /// How the terminal was at the last reading; `background` from the announcement of a stop on.
  package private(set) var terminal: TerminalState
  /// Whether `willTerminate` has been announced. The process may live on, when somebody else ends
  /// it.
  package private(set) var isTerminationAnnounced = false
  /// Who ends the process.
  package var termination: ProcessSignalSource.Termination = .reraise

  /// When the process last went on after a stop. An older `SIGTSTP` belongs to that stop.
  private var lastResume = SignalMoment.zero

  /// A machine for a process that finds its terminal so.
  package init(terminal: TerminalState) {
    self.terminal = terminal
  }

  /// Whether nothing is under way: no observer is waited for.
  package var isIdle: Bool { activity == .running }

  /// Whether only looking again and again shows a return to the foreground: a shell's `fg` sends no
  /// signal to a job that runs.
  package var needsPolling: Bool { activity == .running && terminal == .background }

  /// Whether only tasks are waited for: whatever else there is to wait for is over.
  package var awaitsTasks: Bool {
    switch activity {
    case .holdingStop, .holdingEnd: true
    default: false
    }
  }

  /// Takes one input and says what is to be done, in this order.
  package mutating func handle(_ input: JobControlInput) -> [JobControlAction] {
    switch activity {
    case .running: whileRunning(input)
    case .arming(let requested, let isAnnounced): whileArming(input, requested, isAnnounced)
    case .suspending(let requested, let isCancelled):
      whileSuspending(input, requested, isCancelled)
    case .holdingStop(let requested): whileHoldingStop(input, requested)
    case .stopped: whileStopped(input)
    case .terminating(let signal, let isHurried): whileTerminating(input, signal, isHurried)
    case .holdingEnd(let signal, let isHurried): whileHoldingEnd(input, signal, isHurried)
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
    case .armed, .deliveriesFinished, .deadlinePassed, .tasksFinished, .resumed:
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
      if !isCancelled { return [.startGrace] }
    } else if isCancelled {
      activity = .running
    } else {
      activity = .suspending(requested: requested, isCancelled: false)
      terminal = .background
      return [
        .startGrace, .announce(.background, signal: .stop, at: requested, isAwaited: true),
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
    case .armed, .tasksFinished, .resumed, .terminal:
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
    case .signal, .armed, .deliveriesFinished, .deadlinePassed, .resumed, .terminal:
      return []
    }
  }

  private mutating func whileStopped(_ input: JobControlInput) -> [JobControlAction] {
    guard case .resumed(let moment, let state) = input else { return [] }
    activity = .running
    lastResume = moment
    return [.endGrace] + read(state, signal: nil, moment)
  }

  private mutating func whileTerminating(
    _ input: JobControlInput,
    _ latest: JobControlSignal,
    _ isHurried: Bool
  ) -> [JobControlAction] {
    switch input {
    case .signal(let signal, _) where signal == .terminate || signal == .interrupt:
      let isSecond = isSecond(after: latest)
      activity = .terminating(signal, isHurried: isHurried || isSecond)
      return isSecond && !isHurried ? [.hurry] : []
    case .deliveriesFinished:
      activity = .holdingEnd(latest, isHurried: isHurried)
      return []
    case .deadlinePassed where isHurried:
      activity = .ended
      return [.die(latest)]
    case .deadlinePassed:
      activity = .holdingEnd(latest, isHurried: false)
      return [.reportOverrun]
    case .signal, .armed, .tasksFinished, .resumed, .terminal:
      return []
    }
  }

  private mutating func whileHoldingEnd(
    _ input: JobControlInput,
    _ latest: JobControlSignal,
    _ isHurried: Bool
  ) -> [JobControlAction] {
    switch input {
    case .signal(let signal, _) where signal == .terminate || signal == .interrupt:
      let isSecond = isSecond(after: latest)
      activity = .holdingEnd(signal, isHurried: isHurried || isSecond)
      return isSecond && !isHurried ? [.hurry] : []
    case .deadlinePassed where isHurried, .tasksFinished:
      activity = .ended
      return [.die(latest)]
    case .signal, .armed, .deliveriesFinished, .deadlinePassed, .resumed, .terminal:
      return []
    }
  }
}

extension JobControlMachine {
  /// Whether a `SIGTERM` or `SIGINT` is the second one. A hang-up is accompanied by a `SIGTERM`, of
  /// systemd's say, which does not repeat it.
  private func isSecond(after latest: JobControlSignal) -> Bool {
    latest != .hangUp
  }

  private mutating func finishSuspending(
    _ requested: SignalMoment,
    _ isCancelled: Bool
  ) -> [JobControlAction] {
    activity = isCancelled ? .running : .holdingStop(requested: requested)
    return isCancelled ? [.readTerminal(because: nil)] : []
  }

  /// Announces the end in the middle of a stop, which is given up.
  ///
  /// - Parameter isArmed: Whether that is pending; it was taken back otherwise.
  private mutating func terminate(
    _ signal: JobControlSignal,
    _ moment: SignalMoment,
    insteadOfStop isArmed: Bool
  ) -> [JobControlAction] {
    activity = .running
    let end = terminate(signal, moment)
    let disarm: [JobControlAction] = isArmed ? [.disarmStop] : []
    guard activity == .running else { return disarm + end }
    // Somebody else ends the process, and it runs on until then.
    return disarm + (isArmed ? [.endGrace] : []) + end + [.readTerminal(because: nil)]
  }

  private mutating func terminate(
    _ signal: JobControlSignal,
    _ moment: SignalMoment
  ) -> [JobControlAction] {
    let isAwaited = termination == .reraise
    // Whoever ends the process has been told; it also minds the signals that follow.
    guard isAwaited || !isTerminationAnnounced else { return [] }
    isTerminationAnnounced = true
    if isAwaited { activity = .terminating(signal, isHurried: false) }
    let announcement = JobControlAction.announce(
      .termination,
      signal: signal,
      at: moment,
      isAwaited: isAwaited
    )
    return isAwaited ? [.startGrace, announcement] : [announcement]
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

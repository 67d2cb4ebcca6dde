extension JobControlMachine {
  mutating func whileTerminating(
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
    case .signal, .armed, .tasksFinished, .resumed, .terminal, .exitAnswered:
      return []
    }
  }

  mutating func whileHoldingEnd(
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
    case .signal, .armed, .deliveriesFinished, .deadlinePassed, .resumed, .terminal,
      .exitAnswered:
      return []
    }
  }

  /// Returns true if a `SIGTERM` or `SIGINT` is the second one.
  ///
  /// A hang-up may be accompanied by a `SIGTERM`, for example from systemd, which does not repeat
  /// it.
  private func isSecond(after latest: JobControlSignal) -> Bool {
    latest != .hangUp
  }

  /// Announces the end in the middle of a stop, which is abandoned.
  ///
  /// - Parameter isArmed: True if the stop is pending; false if it was taken back.
  mutating func terminate(
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

  mutating func terminate(
    _ signal: JobControlSignal,
    _ moment: SignalMoment
  ) -> [JobControlAction] {
    let isAwaited = termination == .reraise
    // The party that ends the process was notified before; it also handles the signals that follow.
    guard isAwaited || !isTerminationAnnounced else { return [] }
    isTerminationAnnounced = true
    if isAwaited { activity = .terminating(signal, isHurried: false) }
    let announcement = JobControlAction.announce(
      .termination,
      signal: signal,
      at: moment,
      isAwaited: isAwaited
    )
    return isAwaited ? [.startGrace(of: .end), announcement] : [announcement]
  }

  /// Announces a request to reload, for which nothing waits.
  func reload(_ signal: JobControlSignal, _ moment: SignalMoment) -> [JobControlAction] {
    guard !isTerminationAnnounced else { return [] }
    let announcement = JobControlAction.announce(
      .reload,
      signal: signal,
      at: moment,
      isAwaited: false
    )
    switch activity {
    // The signal may mean that the terminal hung up.
    case .running: return [announcement, .readTerminal(because: nil)]
    case .suspending, .holdingStop: return [announcement]
    case .arming, .stopped, .terminating, .holdingEnd, .ended: return []
    }
  }
}

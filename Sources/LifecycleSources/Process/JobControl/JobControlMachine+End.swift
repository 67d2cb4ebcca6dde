extension JobControlMachine {
  mutating func whileEnding(
    _ input: JobControlInput,
    _ latest: JobControlSignal,
    _ isHurried: Bool,
    _ isNotified: Bool
  ) -> [JobControlAction] {
    switch input {
    case .signal(let signal, let moment) where signal == .terminate || signal == .interrupt:
      // A hang-up may be accompanied by a SIGTERM, for example from systemd, which does not repeat
      // it.
      let first = endRequest ?? moment
      endRequest = first
      let isSecond = moment.continuous - first.continuous >= Self.leastTime
      activity = .ending(signal, isHurried: isHurried || isSecond, isNotified: isNotified)
      return isSecond && !isHurried ? [.hurry] : []
    case .deadlinePassed where isHurried, .tasksFinished where isNotified:
      activity = .ended
      return [.die(latest)]
    case .deliveriesFinished where !isNotified, .deadlinePassed where !isNotified:
      activity = .ending(latest, isHurried: isHurried, isNotified: true)
      return input == .deadlinePassed ? [.reportOverrun] : []
    case .signal, .armed, .deliveriesFinished, .deadlinePassed, .tasksFinished, .resumed, .terminal,
      .exitAnswered:
      return []
    }
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
    if isAwaited {
      activity = .ending(signal, isHurried: false, isNotified: false)
      endRequest = signal == .hangUp ? nil : moment
    }
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
    case .arming, .stopped, .ending, .ended: return []
    }
  }
}

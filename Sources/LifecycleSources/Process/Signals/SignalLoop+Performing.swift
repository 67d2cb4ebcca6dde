import DequeModule
import LifecycleSupport
import ReactiveLifecycle

extension SignalLoop {
  /// Feeds the machine, and performs its actions, until it has no more.
  ///
  /// - Returns: The announcement of the end, or of a request to reload, that was begun.
  @discardableResult
  mutating func feed(_ first: JobControlInput) -> SignalAnnouncement? {
    var inputs: Deque = [first]
    var begun: SignalAnnouncement?
    while let input = inputs.popFirst() {
      let (orders, mayEnd) = engine.state.withLock { ($0.handle(input), $0.machine.mayEnd) }
      // Before observers are notified: the process must not be stopped in the middle of its end.
      if mayEnd != ignoresTerminalStops, !isClosing {
        ignoresTerminalStops = mayEnd
        engine.signals.ignoreTerminalStops(mayEnd)
      }
      for order in orders {
        switch order {
        case .begin(let announcement, let connections):
          if announcement.kind.isAnswerToEndSignal { begun = announcement }
          for connection in connections { connection.begin(announcement) }
        case .ask(let question):
          question.ask()
        case .withdraw(let question):
          question.withdraw()
        case .perform(let action):
          if let answer = perform(action) { inputs.append(answer) }
        }
      }
    }
    return begun
  }

  /// Performs an action, and returns the machine's next input if the action has an answer.
  private mutating func perform(_ action: JobControlAction) -> JobControlInput? {
    switch action {
    case .announce, .ask, .stopAsking:
      return nil
    case .armStop(let requested):
      stopRequest = requested
      // A connection may have installed the handler, and not yet said so.
      unblocked.insert(.stop)
      ThreadSignals.armStop()
      // A SIGCONT that arrived before this did not discard the stop; it is in the pipe.
      return .armed(isCancelled: findCancellation())
    case .disarmStop:
      ThreadSignals.disarmStop()
      return nil
    case .stop:
      #if canImport(Darwin)
        // On Darwin, a SIGCONT does not discard the stop unless this thread handles it.
        if findCancellation() {
          ThreadSignals.disarmStop()
          return .resumed(at: .now, engine.terminal.state)
        }
      #endif
      return stop()
    case .readTerminal(let moment):
      return .terminal(readTerminal(), because: moment)
    case .hurry:
      engine.state.withLock { state in
        state.hurriedDeadline = state.end.map {
          $0.begun + .nanoseconds(JobControlMachine.leastTime)
        }
      }
      return nil
    case .startGrace(let occasion):
      if occasion == .end { ProcessThread.isLeaving = true }
      ProcessTasks.startGrace(of: occasion)
      return nil
    case .endGrace:
      ProcessTasks.endGrace()
      return nil
    case .reportOverrun:
      reports.reportOverrun(engine)
      return nil
    case .die(let signal):
      ProcessThread.call(.willEnd)
      reports.reportRivalParty(of: signal, engine)
      StandardOutput.flush()
      ThreadSignals.die(signal.number)
    }
  }

  private mutating func stop() -> JobControlInput {
    ProcessThread.isLeaving = true
    ProcessThread.call(.willStop)
    let resumed = ThreadSignals.stop()
    ProcessThread.isLeaving = false
    lastTerminal = engine.terminal.state
    ProcessThread.call(.didResume)
    return .resumed(at: resumed, lastTerminal)
  }

  mutating func readTerminal() -> TerminalState {
    let state = engine.terminal.state
    if state != lastTerminal {
      lastTerminal = state
      ProcessThread.call(.terminal(state))
    }
    return state
  }

  /// Returns true if a SIGCONT was recorded after the SIGTSTP that requested the stop, and is not
  /// handled yet.
  private mutating func findCancellation() -> Bool {
    drain()
    let continuation = inbox.first { $0.signal == .continue && $0.moment >= stopRequest }
    cancellation = continuation?.moment
    return continuation != nil
  }

  /// Returns true for a SIGCONT that neither takes a stop back nor continues the process after one.
  func isUnrelatedContinuation(_ moment: SignalMoment) -> Bool {
    moment != cancellation && engine.state.withLock { !$0.machine.isStopping }
  }
}

#if os(Linux)
  import Glibc
  import JobControl
  import LifecycleSystem
  import ReactiveLifecycle

  /// Decides what to record of a command that is observed from outside, and when to stop with it.
  struct CommandLifeMachine {
    enum Observation: Equatable {
      /// The command was started, or the terminal was looked at.
      case started(isForeground: Bool)
      /// Both are a job if the session has a terminal: its shell continues what has stopped.
      case status(JobStatus, isForeground: Bool, isJob: Bool = true)
      case terminal(isForeground: Bool)
    }

    enum Action: Equatable {
      case note(String)
      case send(LifecycleEvent.Kind, metadata: [String: String] = [:])
      /// This process stops itself by the signal that has stopped the command, or by SIGTSTP in
      /// place of SIGSTOP, which would stop it even if no shell can continue it.
      case stop(by: CInt)
      /// The command has ended, and this process ends in the same way.
      case finish(JobStatus)
    }

    private enum Stop {
      /// With this process, so that the shell gets the terminal back.
      case ofJob
      /// Without this process, as there is no terminal.
      case ofCommand(since: ContinuousInstant)
    }

    private var isForeground = false
    private var stop: Stop?

    /// A Boolean value that indicates whether the command runs in the background, so that only
    /// the terminal tells when it returns.
    var waitsForTerminal: Bool { !isForeground && stop == nil }

    mutating func take(_ observation: Observation, at instant: ContinuousInstant) -> [Action] {
      switch observation {
      case .started(let isForeground):
        self.isForeground = isForeground
        return [.send(isForeground ? .didBecomeActive : .didFinishLaunching)]
      case .terminal(let isForeground): return move(isForeground)
      case .status(.stopped(let signal), let isForeground, let isJob):
        return stopped(by: signal, isForeground, isJob: isJob, at: instant)
      case .status(.continued, let isForeground, _): return continued(isForeground, at: instant)
      case .status(.exited(let code), let isForeground, _):
        return unnoticedContinuation(isForeground, at: instant) + [
          .note("exited with \(code)"), .send(.willTerminate), .finish(.exited(code)),
        ]
      case .status(.signaled(SIGKILL), _, _):
        return [.note("killed by SIGKILL"), .finish(.signaled(SIGKILL))]
      case .status(.signaled(let signal), let isForeground, _):
        var actions = unnoticedContinuation(isForeground, at: instant)
        actions.append(.note("killed by \(signalName(signal))"))
        if Self.requestsEnd(signal) { actions.append(.send(.willTerminate)) }
        actions.append(.finish(.signaled(signal)))
        return actions
      }
    }

    private mutating func continued(
      _ isForeground: Bool,
      at instant: ContinuousInstant
    ) -> [Action] {
      defer { stop = nil }
      switch stop {
      case .ofJob: return [.note("continued")] + move(isForeground)
      case .ofCommand(let start):
        return [.note("continued"), paused(start.duration(to: instant))] + move(isForeground)
      case nil: return [.note("stopped and continued"), paused(nil)] + move(isForeground)
      }
    }

    /// If a command has continued and ended, or stopped again, before anybody looks, the kernel
    /// reports the latter alone.
    private mutating func unnoticedContinuation(
      _ isForeground: Bool,
      at instant: ContinuousInstant
    ) -> [Action] {
      stop == nil ? [] : continued(isForeground, at: instant)
    }

    private mutating func stopped(
      by signal: CInt,
      _ isForeground: Bool,
      isJob: Bool,
      at instant: ContinuousInstant
    ) -> [Action] {
      let note = Action.note("stopped by \(signalName(signal))")
      guard isJob else {
        if stop == nil { stop = .ofCommand(since: instant) }
        return [note]
      }
      let continuation = unnoticedContinuation(isForeground, at: instant)
      stop = .ofJob
      return continuation + [note] + move(false) + [.stop(by: signal == SIGSTOP ? SIGTSTP : signal)]
    }

    private mutating func move(_ isForeground: Bool) -> [Action] {
      guard isForeground != self.isForeground else { return [] }
      self.isForeground = isForeground
      return [.send(isForeground ? .didBecomeActive : .didEnterBackground)]
    }

    private func paused(_ time: Duration?) -> Action {
      var metadata = [LifecycleEvent.pauseCauseKey: ProcessPauseCause.stopped.rawValue]
      metadata[LifecycleEvent.timePausedKey] = time?.text
      return .send(.processWasPaused, metadata: metadata)
    }

    /// The signals of which `.processSignals()` tells a process before they end it.
    private static func requestsEnd(_ signal: CInt) -> Bool {
      [SIGTERM, SIGINT, SIGHUP].contains(signal)
    }
  }
#endif

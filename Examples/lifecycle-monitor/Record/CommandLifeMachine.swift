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
      case status(JobStatus, isForeground: Bool)
      case terminal(isForeground: Bool)
      /// This process has received the SIGTSTP of Ctrl-Z, and so has the command.
      case suspendKey
    }

    enum Action: Equatable {
      case note(String)
      case send(LifecycleEvent.Kind, metadata: [String: String] = [:])
      /// This process stops itself by the signal that has stopped the command.
      case stop(by: CInt)
      /// The command has ended, and this process ends with the status.
      case finish(CInt)
    }

    private enum Stop {
      /// By the terminal or its shell, which gets the terminal back.
      case byTerminal
      /// By SIGSTOP, which the command cannot see coming.
      case silent(since: ContinuousInstant)
    }

    private var isForeground = false
    private var stop: Stop?
    /// The instant of the Ctrl-Z that the command has not answered yet.
    private var suspendKey: ContinuousInstant?

    /// The time after Ctrl-Z within which a SIGSTOP is the command's own answer. A command may
    /// ignore the key, and be stopped by another process later.
    static let answerLimit = Duration.seconds(1)

    /// A Boolean value that indicates whether the command runs in the background, so that only
    /// the terminal tells when it returns.
    var waitsForTerminal: Bool { !isForeground && stop == nil }

    mutating func take(_ observation: Observation, at instant: ContinuousInstant) -> [Action] {
      switch observation {
      case .started(let isForeground):
        self.isForeground = isForeground
        return [.send(isForeground ? .didBecomeActive : .didFinishLaunching)]
      case .terminal(let isForeground): return move(isForeground)
      case .suspendKey:
        suspendKey = instant
        return []
      case .status(.stopped(let signal), _): return stopped(by: signal, at: instant)
      case .status(.continued, let isForeground): return continued(isForeground, at: instant)
      case .status(.exited(let code), let isForeground):
        let ending: [Action] = [.note("exited with \(code)"), .send(.willTerminate), .finish(code)]
        return unnoticedContinuation(isForeground, at: instant) + ending
      case .status(.signaled(SIGKILL), _):
        return [.note("killed by SIGKILL"), .finish(128 + SIGKILL)]
      case .status(.signaled(let signal), let isForeground):
        var actions = unnoticedContinuation(isForeground, at: instant)
        actions.append(.note("killed by \(signalName(signal))"))
        if Self.requestsEnd(signal) { actions.append(.send(.willTerminate)) }
        actions.append(.finish(128 + signal))
        return actions
      }
    }

    private mutating func continued(
      _ isForeground: Bool,
      at instant: ContinuousInstant
    ) -> [Action] {
      defer { stop = nil }
      suspendKey = nil
      switch stop {
      case .byTerminal: return [.note("continued")] + move(isForeground)
      case .silent(let start):
        return [.note("continued"), paused(start.duration(to: instant))] + move(isForeground)
      case nil: return [.note("stopped and continued"), paused(nil)] + move(isForeground)
      }
    }

    /// If a command has continued and ended before anybody looks, the kernel reports the end alone.
    private mutating func unnoticedContinuation(
      _ isForeground: Bool,
      at instant: ContinuousInstant
    ) -> [Action] {
      stop == nil ? [] : continued(isForeground, at: instant)
    }

    private mutating func stopped(by signal: CInt, at instant: ContinuousInstant) -> [Action] {
      let note = Action.note("stopped by \(signalName(signal))")
      let isAnswer = suspendKey.map { $0.duration(to: instant) <= Self.answerLimit } ?? false
      suspendKey = nil
      guard signal != SIGSTOP || isAnswer else {
        if stop == nil { stop = .silent(since: instant) }
        return [note]
      }
      stop = .byTerminal
      return [note] + move(false) + [.stop(by: signal)]
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

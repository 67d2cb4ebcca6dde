#if os(Linux)
  import LifecycleSources
  import LifecycleSupport
  import ReactiveLifecycle

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The watch that notices that the process was paused.
  final class PauseWatch: ProcessWatch {
    private struct State {
      var machine: PauseMachine
      var polls: Bool
    }

    private let events: FreezerEvents?
    private let state: Locked<State>
    private let input: LifecycleFeed

    init(
      heartbeat: Duration?,
      _ input: LifecycleFeed
    ) throws(ProcessSignalSource.StartError) {
      let events = try availableResult { () throws(SystemFailure) in try FreezerEvents() }
      self.events = events
      self.input = input
      let machine = PauseMachine(
        heartbeat: heartbeat,
        frozenTime: events?.frozenTime,
        at: .now
      )
      state = Locked(State(machine: machine, polls: events != nil))
    }

    var interest: ProcessWatchInterest {
      let (polls, deadline) = state.withLock { ($0.polls, $0.machine.deadline) }
      return ProcessWatchInterest(
        descriptor: polls ? events?.descriptor : nil,
        events: Int16(POLLPRI),
        deadline: deadline
      )
    }

    func handle(_ moment: ProcessWatchMoment) {
      switch moment {
      case .ready: readEvents()
      case .deadline: note(.deadline)
      case .didResume: note(.resumed)
      case .continued(_, let wasStopped): if wasStopped { note(.continued) }
      case .willStop, .willEnd, .terminal: break
      }
    }

    private func readEvents() {
      switch events?.isFrozen {
      // The group is gone: the process has moved to another one.
      case nil: state.withLock { $0.polls = false }
      // About to be frozen, or just thawed: another report follows.
      case true: break
      case false: note(.thawed(total: events?.frozenTime))
      }
    }

    private func note(_ input: PauseMachine.Input) {
      guard let pause = state.withLock({ $0.machine.handle(input, at: .now) }) else { return }
      var metadata = [LifecycleEvent.pauseCauseKey: pause.cause.rawValue]
      metadata[LifecycleEvent.timePausedKey] = pause.time?.text
      self.input.post(.processWasPaused, metadata)
    }

    func close() {
      events?.close()
    }
  }
#endif

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
      var events: FreezerEvents?
    }

    private let state: Locked<State>
    private let sensor: InterruptionSensor
    /// Whether the sensor has noticed something that the machine does not know yet.
    private let isInterrupted: SharedFlag
    private let input: LifecycleFeed
    private let now: @Sendable () -> SuspendingClock.Instant

    init(
      heartbeat: Duration?,
      _ input: LifecycleFeed,
      now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }
    ) throws(ProcessSignalSource.StartError) {
      let isInterrupted = SharedFlag()
      self.isInterrupted = isInterrupted
      let events = try availableResult { () throws(SystemFailure) in try FreezerEvents() }
      do throws(ProcessSignalSource.StartError) {
        sensor = try InterruptionSensor {
          isInterrupted.set(true)
          ProcessThread.wake()
        }
      } catch {
        events?.close()
        throw error
      }
      self.input = input
      self.now = now
      let machine = PauseMachine(
        heartbeat: heartbeat,
        frozenTime: events?.frozenTime,
        at: now()
      )
      state = Locked(State(machine: machine, events: events))
    }

    var interest: ProcessWatchInterest {
      let (events, deadline) = state.withLock { ($0.events, $0.machine.deadline) }
      return ProcessWatchInterest(
        descriptor: events?.descriptor,
        events: Int16(POLLPRI),
        deadline: isInterrupted.isOn ? .now : deadline
      )
    }

    func handle(_ moment: ProcessWatchMoment) {
      switch moment {
      case .ready: readEvents()
      case .deadline:
        if isInterrupted.isOn {
          isInterrupted.set(false)
          noteSign(.interrupted)
        }
        note(.deadline)
      case .didResume: note(.resumed)
      case .continued: noteSign(.continued)
      case .willStop, .willEnd, .terminal: break
      }
    }

    private func readEvents() {
      guard let events = state.withLock({ $0.events }) else { return }
      switch events.state {
      case .left: followProcess()
      // About to be frozen, or just thawed: another report follows.
      case .frozen: break
      case .running: note(.thawed(total: events.frozenTime))
      }
    }

    /// Notes half of the evidence of a stop, after a thaw, which explains it.
    private func noteSign(_ input: PauseMachine.Input) {
      if let descriptor = state.withLock({ $0.events?.descriptor }) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        if poll(&entry, 1, 0) > 0 { readEvents() }
      }
      note(input)
    }

    /// Watches the control group that the process has moved to.
    private func followProcess() {
      closeEvents()
      // Without that group's file, only a heartbeat notices a pause.
      let events = try? FreezerEvents()
      let frozenTime = events?.frozenTime
      state.withLock { state in
        state.events = events
        state.machine.changeGroup(frozenTime: frozenTime)
      }
    }

    private func note(_ input: PauseMachine.Input) {
      guard let pause = state.withLock({ $0.machine.handle(input, at: now()) }) else { return }
      var metadata = [LifecycleEvent.pauseCauseKey: pause.cause.rawValue]
      metadata[LifecycleEvent.timePausedKey] = pause.time?.text
      self.input.post(.processWasPaused, metadata)
    }

    func close() {
      sensor.close()
      closeEvents()
    }

    private func closeEvents() {
      state.withLock { $0.events.take() }?.close()
    }
  }
#endif

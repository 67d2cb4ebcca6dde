#if Services
  import LifecycleSources
  import LifecycleSupport
  import ReactiveLifecycle

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A listener that passes what happens on a bus to the service manager.
  final class NotifyLink: BusListener {
    /// The time that the manager waits beyond the time that tasks have.
    private static let extraTime = Duration.seconds(1)
    /// The longest time that the manager is asked for: a hundred years.
    private static let longestExtension = Duration.seconds(3_155_760_000)

    private struct State {
      var machine: NotifyMachine
      /// The fields of the message that is being sent.
      var message: [String]?
      var hasFailed = false
      var isCancelled = false
      var row: ListenerRow?
      /// The action at the exit of the process.
      var exitAction: Int?
    }

    private let core: LifecycleBusCore
    private let socket: NotifySocket
    private let watchdog: WatchdogSettings?
    private let alarm: Alarm
    private let onFailure: @Sendable (SystemdNotifier.Failure) -> Void
    private let state: Locked<State>

    init(
      _ core: LifecycleBusCore,
      _ socket: NotifySocket,
      _ watchdog: WatchdogSettings?,
      readyWhen condition: LifecyclePhase.Condition?,
      onFailure: @escaping @Sendable (SystemdNotifier.Failure) -> Void
    ) {
      self.core = core
      self.socket = socket
      self.watchdog = watchdog
      self.onFailure = onFailure
      alarm = Alarm(core.clock)
      state = Locked(State(machine: NotifyMachine(readyWhen: condition)))
    }

    /// Joins the bus, which keeps the link until it ends, and begins the signs of life.
    func start(_ site: CallSite) {
      let row = ListenerRow(
        core: core,
        kinds: .all,
        site: site,
        listener: self,
        locateRunning: { [weak self] in self?.runningLocation }
      )
      state.withLock { $0.row = row }
      notifyAtExit { [weak self] in self?.handle(.end(signal: nil)) }
      core.listen(row)
      ping()
    }

    func cancel() {
      let row = state.withLock { state in
        state.isCancelled = true
        return state.row.take()
      }
      alarm.end()
      row?.cancel()
      notifyAtExit(nil)
    }

    /// Sets the action at an exit of the process that nothing has announced.
    private func notifyAtExit(_ action: (@Sendable () -> Void)?) {
      let action = action.map { ProcessExit.add($0) }
      let previous = state.withLock { state in
        defer { state.exitAction = action }
        return state.exitAction
      }
      if let previous { ProcessExit.remove(previous) }
    }

    /// Sends the message that follows from an input.
    func handle(_ input: NotifyMachine.Input) {
      send(state.withLock { $0.machine.handle(input) })
    }

    private func send(_ fields: [String]) {
      guard !fields.isEmpty else { return }
      let isCancelled = state.withLock { state in
        if !state.isCancelled { state.message = fields }
        return state.isCancelled
      }
      if isCancelled { return }
      let errno = socket.send(fields)
      let isFirstFailure = state.withLock { state in
        state.message = nil
        guard errno != nil, !state.hasFailed else { return false }
        state.hasFailed = true
        return true
      }
      guard isFirstFailure, let errno else { return }
      onFailure(.init(.message(fields.joined(separator: "\n"), errno: errno)))
    }

    /// The location of the link with the message that is being sent, which may have to wait; nil if
    /// none is. Thread-safe.
    private var runningLocation: LifecycleObserverLocation? {
      let (row, message) = state.withLock { ($0.row, $0.message) }
      guard let message, var location = row?.location else { return nil }
      location.activity = "message \"\(message.joined(separator: ", "))\" to the service manager"
      return location
    }

    // MARK: Signs of life

    /// Sends a sign of life in the turn of the bus, and again after the watchdog's period.
    ///
    /// If the bus does not deliver, none is sent.
    private func ping() {
      guard watchdog != nil, let row = state.withLock({ $0.row }) else { return }
      core.perform(inTurnOf: row) { [self] in pingNow() }
    }

    private func pingNow() {
      guard let watchdog else { return }
      send(["WATCHDOG=1"])
      alarm.set(for: core.clock.continuous + watchdog.period) { [self] in
        // The manager limits the time that the end takes.
        if core.hasEnded { pingNow() } else { ping() }
      }
    }

    // MARK: The bus

    func join(at delivered: DeliveredState) {
      handle(.phase(delivered.phase))
    }

    func hear(_ event: LifecycleEvent) {
      switch event.kind {
      case .reloadRequest:
        handle(.reload(at: Self.monotonicMicroseconds))
        if let row = state.withLock({ $0.row }) {
          core.perform(inTurnOf: row) { [self] in handle(.reloaded) }
        }
      case .willTerminate:
        handle(.end(signal: event.metadata["signal"]))
      default:
        handle(.phase(event.phase))
      }
    }

    func busDidEnd() {
      // The process may outlive a bus that was released.
      guard core.hasAcceptedTermination else {
        cancel()
        // The bus may be released during the return from `main`.
        notifyAtExit { [address = socket.address] in
          _ = try? NotifySocket(address).send(NotifyMachine.stopping(after: nil))
        }
        return
      }
      handle(.end(signal: nil))
      if let rest = ProcessBackgroundTaskHost.longestDelayOfEnd {
        let time = min(rest, Self.longestExtension) + Self.extraTime
        send(["EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))"])
      }
      pingNow()
      state.discard { $0.row.take() }
    }

    private static var monotonicMicroseconds: Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
  }
#endif

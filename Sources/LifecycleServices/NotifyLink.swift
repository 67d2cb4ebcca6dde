#if Services
  import LifecycleCore
  import LifecycleProcess
  import LifecycleSupport

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
      onFailure(.message(fields.joined(separator: "\n"), errno: errno))
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

    func receive(_ event: LifecycleEvent) {
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
      if let rest = ProcessTasks.longestDelayOfEnd {
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

  /// A state machine that decides what the service manager is notified of.
  ///
  /// It is pure: each input returns the fields of one message, or none for no message.
  struct NotifyMachine: Hashable, Sendable {
    enum Input: Hashable, Sendable {
      /// The bus is in a phase.
      case phase(LifecyclePhase)
      /// The program is ready.
      case ready
      /// A reload begins, at a reading of the monotonic clock in microseconds.
      case reload(at: Int64)
      /// The observers of a reload have returned.
      case reloaded
      /// The process ends, by the signal if there is one.
      case end(signal: String?)
      case status(String)
    }

    private enum State: Hashable, Sendable {
      case starting
      case ready
      /// This number of reloads is under way.
      case reloading(Int)
      case stopping
    }

    private let condition: LifecyclePhase.Condition?
    private var state = State.starting

    /// - Parameter condition: The phases in which the program is ready; nil if it reports that
    ///   itself.
    init(readyWhen condition: LifecyclePhase.Condition?) {
      self.condition = condition
    }

    /// Handles an input, and returns the fields of the message.
    mutating func handle(_ input: Input) -> [String] {
      switch (input, state) {
      case (.phase(let phase), .starting) where condition?.contains(phase) == true:
        return handle(.ready)
      case (.ready, .starting):
        state = .ready
        return ["READY=1"]
      case (.reload(let time), .ready):
        state = .reloading(1)
        return Self.reloading(at: time)
      case (.reload(let time), .reloading(let count)):
        state = .reloading(count + 1)
        return Self.reloading(at: time)
      case (.reloaded, .reloading(1)):
        state = .ready
        return ["READY=1"]
      case (.reloaded, .reloading(let count)):
        state = .reloading(count - 1)
        return []
      case (.end(let signal), .starting), (.end(let signal), .ready),
        (.end(let signal), .reloading):
        state = .stopping
        return Self.stopping(after: signal)
      case (.status(let text), _):
        // A message is a list of lines.
        return ["STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))"]
      default:
        return []
      }
    }

    static func stopping(after signal: String?) -> [String] {
      ["STOPPING=1", "STATUS=Stopping\(signal.map { " after \($0)" } ?? "")"]
    }

    private static func reloading(at time: Int64) -> [String] {
      ["RELOADING=1", "MONOTONIC_USEC=\(time)"]
    }
  }

  /// The address in `$NOTIFY_SOCKET`: a path, or an abstract name that begins with `@`.
  struct NotifyAddress: Hashable, Sendable {
    /// The bytes of the name; those of an abstract name begin with zero.
    let bytes: [UInt8]

    /// The number of bytes that an address has room for.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    init(_ name: String) throws(SystemdNotifier.Failure) {
      switch name.utf8.first {
      case UInt8(ascii: "@"):
        bytes = [0] + name.utf8.dropFirst()
        // Its length is part of the address, so it needs no zero at the end.
        guard bytes.count <= Self.limit else { throw .nameTooLong(name, limit: Self.limit) }
      case UInt8(ascii: "/"):
        bytes = Array(name.utf8)
        guard bytes.count < Self.limit else {
          throw .nameTooLong(name, limit: Self.limit - 1)
        }
      default:
        throw .unsupportedAddress(name)
      }
    }

    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result
    {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
      let terminator = bytes.first == 0 ? 0 : 1
      return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(offset + bytes.count + terminator))
        }
      }
    }
  }

  /// A datagram socket to the service manager. Thread-safe: the kernel keeps messages whole.
  final class NotifySocket: Sendable {
    /// The time for which a full queue of the manager may delay a message.
    private static let sendTime = timeval(tv_sec: 1, tv_usec: 0)

    /// Set if the last message found no room: the next one then does not wait for it. So a manager
    /// that reads nothing delays the program once.
    private let isUnread = Atomic(false)

    let descriptor: CInt
    let address: NotifyAddress
    /// A child by fork(2) has a copy of the socket, but is not the service.
    private let process = getpid()

    init(_ address: NotifyAddress) throws(SystemdNotifier.Failure) {
      self.address = address
      descriptor = SystemDescriptor.localSocket(Platform.datagramSocket)
      guard descriptor >= 0 else { throw .socket(errno: errno) }
      var time = Self.sendTime
      setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_SNDTIMEO,
        &time,
        socklen_t(MemoryLayout<timeval>.size)
      )
    }

    deinit { close(descriptor) }

    /// Sends one message.
    ///
    /// - Returns: The system's error number; nil if the manager has the message, and in a child.
    func send(_ fields: [String]) -> CInt? {
      guard process == getpid() else { return nil }
      let message = Array(fields.joined(separator: "\n").utf8)
      let isUnread = isUnread.load(ordering: .relaxed)
      let flags = Platform.noSignal | (isUnread ? CInt(MSG_DONTWAIT) : 0)
      let end = ContinuousClock.now + .seconds(Self.sendTime.tv_sec)
      var failure: CInt?
      repeat {
        failure = address.withSocketAddress { pointer, length in
          sendto(descriptor, message, message.count, flags, pointer, length) < 0 ? errno : nil
        }
        // A wait that a signal interrupts begins anew.
      } while failure == EINTR && ContinuousClock.now < end
      if failure == EINTR { failure = EAGAIN }
      self.isUnread.store(failure == EAGAIN, ordering: .relaxed)
      return failure
    }
  }
#endif

#if Services
  public import LifecycleCore
  public import LifecycleProcess
  import LifecycleSupport
  public import ServiceLifecycle

  /// A service that notifies the observers of a bus when its group shuts down.
  ///
  /// Add it to the services of a program whose `ServiceGroup` is created elsewhere, for example by
  /// a web framework. If you create the group, call
  /// `LifecycleBusProtocol.runServices(_:grace:deadline:onOverrun:fileID:filePath:line:column:)`
  /// instead: it also shuts the group down when the bus ends.
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [server, LifecycleService(bus)],
  ///   gracefulShutdownSignals: [.sigterm, .sigint],
  ///   logger: logger
  /// )
  /// try await group.run()
  /// ```
  ///
  /// | group | bus |
  /// | --- | --- |
  /// | runs the service | `didBecomeActive`, if the bus has no phase yet |
  /// | shuts the service down, or cancels it | `willTerminate`; the service waits for the observers |
  ///
  /// A group shuts its services down in reverse order: if this service is the last one, observers
  /// are notified before the other services shut down, and if it is the first one, after that. A
  /// service that returns only when the bus ends belongs before this one.
  ///
  /// A bus that is also connected to `.processSignals()` stays in step with job control, and the
  /// signal does not end the process while the group shuts down, but when the program returns from
  /// `main`, or when the grace period has passed, which is reported at the line that created the
  /// service. Pass each signal that ends the process (`SIGTERM`, `SIGINT`, `SIGHUP`) to the
  /// group as well, or connect with `termination: .observe`. Don't call
  /// `ProcessSignalSource.waitForEnd()` after the group: it would wait for the grace period.
  public struct LifecycleService: Service {
    private let bus: any LifecycleBusProtocol
    private let deadline: Duration
    private let onOverrun: @Sendable (ProcessSignalSource.Overrun) -> Void
    private let hold: EndHold?
    private let ending: LifecycleCancellable?

    /// Creates a service that reports to a bus.
    ///
    /// - Parameters:
    ///   - bus: The bus, which the service keeps alive.
    ///   - deadline: The time for which observers may delay the shutdown, on the continuous clock
    ///     of the bus.
    ///   - grace: The time for which the group may delay a signal that ends the process, not
    ///     counting the time that the machine sleeps.
    ///   - onOverrun: Called in the service's task when the deadline has passed with observers
    ///     still running. The shutdown continues after that. By default, the closure reports an
    ///     issue that names the file and line of the observer.
    public init(
      _ bus: some LifecycleBusProtocol,
      deadline: Duration = .seconds(5),
      grace: Duration = .seconds(30),
      onOverrun: @escaping @Sendable (ProcessSignalSource.Overrun) -> Void = { $0.report() },
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      let site = CallSite(fileID, filePath, line, column)
      let hold = EndHold(
        grace: grace,
        site,
        remedy: """
          Pass every signal that ends the process to the group (gracefulShutdownSignals), return \
          from main after the group, or run the services with runServices.
          """
      )
      // From now on, because the group may receive a signal before it runs this service. `run` does
      // not end the hold, because the services that shut down after this one delay the process as
      // well.
      let registration = bus.core.whenEnding(site) { hold.begin() }
      // Called when the group has finished, and has released its services, which may take a moment.
      let ending = LifecycleCancellable { [core = bus.core] in
        registration.cancel()
        // The program can return from main before the signal ends the process. A group whose bus
        // does not know the signal may have finished long before it.
        if !ProcessSignalSource.isEnding(core) { hold.end() }
      }
      self.init(bus, deadline: deadline, onOverrun: onOverrun, hold: hold, ending: ending)
    }

    init(
      _ bus: some LifecycleBusProtocol,
      deadline: Duration,
      onOverrun: @escaping @Sendable (ProcessSignalSource.Overrun) -> Void,
      hold: EndHold? = nil,
      ending: LifecycleCancellable? = nil
    ) {
      self.bus = bus
      self.deadline = max(deadline, .zero)
      self.onOverrun = onOverrun
      self.hold = hold
      self.ending = ending
    }

    /// Leaves the delay of the signal to `runServices`, which knows when the group has finished.
    func releaseEnd() { hold?.end() }

    /// Connects the bus, waits until the group shuts the service down, and notifies the observers.
    ///
    /// Returns when the observers have returned, or when the deadline has passed. A cancellation of
    /// the task is an end as well.
    public func run() async throws {
      let core = bus.core
      let source = ServiceGroupSource(core)
      let connection = try bus.connect(source)
      defer { connection.cancel() }
      // A cancelled group ends, too.
      try? await gracefulShutdown()
      guard await source.end(within: deadline) else { return }
      onOverrun(
        ProcessSignalSource.Overrun(
          kind: .willTerminate,
          deadline: deadline,
          observer: core.noteOverrun(of: .willTerminate)
        )
      )
    }
  }

  extension LifecycleService: CustomStringConvertible {
    /// The text `LifecycleService`, which a group's log and errors show.
    public var description: String { "LifecycleService" }
  }

  /// The source of a bus whose process is run by a service group.
  private final class ServiceGroupSource: LifecycleSource {
    let name: LifecycleSourceName = "serviceGroup"
    private let core: LifecycleBusCore
    private let feed = Locked<LifecycleFeed?>(nil)

    init(_ core: LifecycleBusCore) {
      self.core = core
    }

    /// Reports that the process is active, unless the bus knows its phase from another source.
    func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
      self.feed.exchange(feed)
      if core.phase == .unknown { feed.send(.didBecomeActive) }
      return {}
    }

    /// Sends `willTerminate`, and waits until its observers have returned, also if another source
    /// has sent it before.
    ///
    /// - Returns: Whether the deadline has passed first.
    func end(within deadline: Duration) async -> Bool {
      guard let feed = feed.withLock({ $0 }) else { return false }
      let wait = TimedWait(core.clock, deadline)
      return await wait.wait { _ = feed.send(.willTerminate, completion: $0) }
    }
  }

  /// A wait for a completion, up to a deadline, which the cancellation of the task does not end.
  ///
  /// It is made in slices: while the process is frozen, no more than one of them passes.
  final class TimedWait: Sendable {
    private static let slice = Duration.milliseconds(100)

    private let clock: any LifecycleClock
    private let deadline: Duration
    private let waiting = Locked<CheckedContinuation<Bool, Never>?>(nil)

    init(_ clock: any LifecycleClock, _ deadline: Duration) {
      self.clock = clock
      self.deadline = deadline
    }

    /// Starts an operation, and waits until it calls its completion. Call this method once.
    ///
    /// - Returns: Whether the deadline has passed first.
    func wait(for start: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
      let alarm = Alarm(clock)
      defer { alarm.end() }
      return await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        set(alarm, deadline)
        start { [self] in finish(isTimeUp: false) }
      }
    }

    private func set(_ alarm: Alarm, _ rest: Duration) {
      let slice = min(rest, Self.slice)
      alarm.set(for: clock.continuous + slice) { [self] in
        if rest > slice { set(alarm, rest - slice) } else { finish(isTimeUp: true) }
      }
    }

    private func finish(isTimeUp: Bool) {
      waiting.take()?.resume(returning: isTimeUp)
    }
  }

  /// A task of the process that delays the signal that ends the process while a service group shuts
  /// down. It does not delay a stop by Ctrl-Z.
  final class EndHold: Sendable {
    private enum State {
      case waiting
      case holding(Int?)
      case ended
    }

    private let grace: Duration
    private let site: CallSite
    /// The advice for a group that takes longer than the grace period.
    private let remedy: String
    private let state = Locked(State.waiting)
    private let exitAction = Locked<Int?>(nil)

    init(grace: Duration, _ site: CallSite, remedy: String) {
      self.grace = max(grace, .zero)
      self.site = site
      self.remedy = remedy
    }

    /// Begins the task. Has no effect if it has begun.
    func begin() {
      let isFirst = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .holding(nil)
        return true
      }
      guard isFirst else { return }
      // A program that exits is done with its services.
      let exitAction = ProcessExit.add(at: .release) { [weak self] in self?.end() }
      self.exitAction.withLock { $0 = exitAction }
      let task = ProcessTasks.begin(.init(grace: grace, occasions: [.end])) { [self] in expire() }
      let hasEnded = state.withLock { state in
        if case .ended = state { return true }
        state = .holding(task)
        return false
      }
      if hasEnded, let task { ProcessTasks.end(task) }
    }

    /// Ends the task. Has no effect if it has ended.
    func end() {
      let task = state.withLock { state -> Int? in
        defer { state = .ended }
        if case .holding(let task) = state { return task }
        return nil
      }
      if let task { ProcessTasks.end(task) }
      if let exitAction = exitAction.take() { ProcessExit.remove(exitAction) }
    }

    /// Reports that the signal ends the process before the group has finished.
    private func expire() {
      site.report(
        """
        The service group had not finished \(grace) after the bus ended, so the signal ends the \
        process without waiting for its services. \(remedy)
        """
      )
      end()
    }
  }

  /// A listener that calls a closure once, when its bus ends.
  private final class BusEndListener: BusListener {
    private let onEnd: Locked<(@Sendable () -> Void)?>

    init(_ onEnd: @escaping @Sendable () -> Void) {
      self.onEnd = Locked(onEnd)
    }

    func join(at delivered: DeliveredState) {
      if delivered.phase == .terminated { end() }
    }

    func receive(_ event: LifecycleEvent) { end() }

    func busDidEnd() { end() }

    private func end() {
      onEnd.take()?()
    }
  }

  extension LifecycleBusCore {
    /// Calls a closure where the bus delivers, at its `willTerminate` or when it ends otherwise; at
    /// once if it has ended.
    ///
    /// - Returns: The registration, which is cancelled when it is released.
    func whenEnding(_ site: CallSite, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      let listener = BusEndListener(body)
      let row = ListenerRow(core: self, kinds: .willTerminate, site: site, listener: listener)
      listen(row)
      if hasEnded { listener.busDidEnd() }
      return LifecycleCancellable { row.cancel() }
    }
  }
#endif

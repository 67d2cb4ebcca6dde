#if Services
  public import LifecycleSources
  public import ReactiveLifecycle
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
  /// signal does not end the process while the group shuts down: it waits until the program returns
  /// from `main`, or until the grace period has passed, which is reported at the line that created
  /// the service. Pass each signal that ends the process (`SIGTERM`, `SIGINT`, `SIGHUP`) to the
  /// group as well, or connect with `termination: .observe`. Don't call
  /// `ProcessSignalSource.waitForEnd()` after the group: it would wait for the grace period.
  public struct LifecycleService: Service {
    private let core: LifecycleBusCore
    private let connect: @Sendable (ServiceGroupSource) throws -> LifecycleCancellable
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
    ///   - fileID: The file ID of the call site.
    ///   - filePath: The path of the call site's file.
    ///   - line: The line of the call site.
    ///   - column: The column of the call site.
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
      let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      let hold = EndHold(grace: grace, site, .unknownGroup)
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
      core = bus.core
      connect = { try bus.connect($0) }
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
      let source = ServiceGroupSource(core)
      let connection = try connect(source)
      defer { connection.cancel() }
      // A cancelled group ends, too.
      try? await gracefulShutdown()
      guard await source.end(within: deadline) else { return }
      onOverrun(
        ProcessSignalSource.Overrun(
          kind: .willTerminate,
          deadline: deadline,
          observer: core.runningObserver
        )
      )
    }
  }

  extension LifecycleService: CustomStringConvertible {
    /// The text `LifecycleService`, which a group's log and errors show.
    public var description: String { "LifecycleService" }
  }
#endif

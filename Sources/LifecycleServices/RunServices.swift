#if Services
  public import LifecycleCore
  public import LifecycleProcess
  public import Logging
  public import ServiceLifecycle

  extension LifecycleBusProtocol {
    /// Runs services until the bus ends, or until their group shuts down, whichever comes first;
    /// each causes the other.
    ///
    /// ```swift
    /// let bus = LifecycleBus()
    /// try bus.connect(.processSignals(), in: scope)
    /// try await bus.runServices([database, server], logger: logger)
    /// ```
    ///
    /// The group takes no signals. For one that does, pass a configuration:
    /// ``runServices(_:grace:deadline:onOverrun:fileID:filePath:line:column:)``.
    ///
    /// - Parameters:
    ///   - services: The services, which shut down in reverse order.
    ///   - logger: The logger of the group.
    ///   - grace: The time for which services may delay the end of the process by a signal, not
    ///     counting the time that the machine sleeps.
    ///   - deadline: The time for which observers may delay the shutdown.
    ///   - onOverrun: Called when the deadline has passed with observers still running.
    /// - Throws: The error of a service, or of the group.
    public nonisolated(nonsending) func runServices(
      _ services: [any Service],
      logger: Logger,
      grace: Duration = .seconds(30),
      deadline: Duration = .seconds(5),
      onOverrun: @escaping @Sendable (ProcessSignalSource.Overrun) -> Void = { $0.report() },
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) async throws {
      try await runServices(
        ServiceGroupConfiguration(services: services, logger: logger),
        grace: grace,
        deadline: deadline,
        onOverrun: onOverrun,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
    }

    /// Runs the services of a configuration until the bus ends, or until their group shuts down,
    /// whichever comes first; each causes the other.
    ///
    /// ```swift
    /// let configuration = ServiceGroupConfiguration(
    ///   services: [database, server],
    ///   gracefulShutdownSignals: [.sigterm, .sigint],
    ///   logger: logger
    /// )
    /// try await bus.runServices(configuration)
    /// ```
    ///
    /// | cause | consequence |
    /// | --- | --- |
    /// | the group begins to run | `didBecomeActive`, if the bus has no phase yet |
    /// | the group shuts down, for a signal or because a service failed | `willTerminate` |
    /// | the bus ends, for example by `.processSignals()` | the group shuts down gracefully |
    ///
    /// Observers of `willTerminate` return, or use up the deadline, before the first service shuts
    /// down. If `.processSignals()` is to end the process, the signal waits for the services, up to
    /// the grace period; then this method does not return. Ctrl-Z stops the process at once.
    ///
    /// - Parameters:
    ///   - configuration: The services, which shut down in reverse order, and the signals of their
    ///     group.
    ///   - grace: The time for which services may delay the end of the process by a signal, not
    ///     counting the time that the machine sleeps. If they need longer, the signal ends the
    ///     process, and that is reported at the caller's line.
    ///   - deadline: The time for which observers may delay the shutdown, on the continuous clock
    ///     of the bus.
    ///   - onOverrun: Called in a task of the group when the deadline has passed with observers
    ///     still running. The shutdown continues after that. By default, the closure reports an
    ///     issue that names the file and line of the observer.
    /// - Throws: The error of a service, or of the group.
    public nonisolated(nonsending) func runServices(
      _ configuration: ServiceGroupConfiguration,
      grace: Duration = .seconds(30),
      deadline: Duration = .seconds(5),
      onOverrun: @escaping @Sendable (ProcessSignalSource.Overrun) -> Void = { $0.report() },
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) async throws {
      let site = CallSite(fileID, filePath, line, column)
      let hold = EndHold(
        grace: grace,
        site,
        remedy: """
          Return from the services sooner when they are shut down, or choose a longer grace period.
          """
      )
      let service = LifecycleService(self, deadline: deadline, onOverrun: onOverrun)
      let group = ServiceGroup(configuration: configuration.following(core, by: service))
      // Before the bus ends: its observers may take longer than the process waits for them.
      hold.begin()
      for service in configuration.services.map(\.service) {
        (service as? LifecycleService)?.releaseEnd()
      }
      let registration = core.whenEnding(site) {
        Task { await group.triggerGracefulShutdown() }
      }
      defer { registration.cancel() }
      do {
        try await group.run(file: "\(fileID)", line: Int(line))
      } catch {
        // The program can report the error before the signal ends the process.
        if !ProcessSignalSource.isEnding { hold.end() }
        throw error
      }
      hold.end()
      await ProcessSignalSource.waitForEnd()
    }
  }

  extension ServiceGroupConfiguration {
    /// Returns the configuration in which all services may return because the bus has ended, and
    /// the last one notifies it.
    fileprivate func following(_ core: LifecycleBusCore, by last: LifecycleService) -> Self {
      var configuration = self
      for index in configuration.services.indices {
        let service = configuration.services[index].service
        configuration.services[index].service = KeptService(service: service, core: core)
      }
      configuration.services.append(ServiceConfiguration(service: last))
      return configuration
    }
  }

  /// A service that does not return before its group shuts it down, although its bus has ended.
  private struct KeptService: Service, CustomStringConvertible {
    let service: any Service
    let core: LifecycleBusCore

    var description: String { "\(service)" }

    private var hasBusEnded: Bool { core.hasAcceptedTermination || core.hasEnded }

    func run() async throws {
      do {
        try await service.run()
      } catch is LifecycleBusEndedError where hasBusEnded {
        // It waited for a phase, which is another way to notice the end.
      }
      guard hasBusEnded else { return }
      // A cancelled group does not wait for it.
      try? await gracefulShutdown()
    }
  }
#endif

#if Services
  public import ReactiveLifecycle
  public import ServiceLifecycle

  /// A service that does not return before its group shuts it down, although its bus has ended.
  struct KeptService: Service, CustomStringConvertible {
    let service: any Service
    let core: LifecycleBusCore

    var description: String { "\(service)" }

    /// Returns the service that a service in this form stands for; any other service as it is.
    static func unwrap(_ service: any Service) -> any Service {
      var service = service
      while let kept = service as? Self { service = kept.service }
      return service
    }

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

  extension Service {
    /// Returns this service in a form that may return because a bus has ended.
    ///
    /// A group regards a service that returns before it is shut down as a failure, and cancels the
    /// others. If this service returns because the bus has ended, for example from `repeatWhile`,
    /// or throws `LifecycleBusEndedError`, the new one waits until its group shuts it down.
    /// ``ReactiveLifecycle/LifecycleBusProtocol/runServices(_:grace:deadline:onOverrun:fileID:filePath:line:column:)``
    /// does that for all services. Use this method in a group that is created elsewhere.
    ///
    /// ```swift
    /// let group = ServiceGroup(
    ///   services: [poller.waitingForShutdown(afterEndOf: bus), LifecycleService(bus)],
    ///   gracefulShutdownSignals: [.sigterm, .sigint],
    ///   logger: logger
    /// )
    /// ```
    ///
    /// - Parameter bus: The bus whose end may end this service.
    public func waitingForShutdown(afterEndOf bus: some LifecycleBusProtocol) -> some Service {
      KeptService(service: self, core: bus.core)
    }
  }
#endif

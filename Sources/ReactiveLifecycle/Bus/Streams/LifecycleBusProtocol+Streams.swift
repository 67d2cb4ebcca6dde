extension LifecycleBusProtocol {
  /// A publisher of every event from now on, in order, which finishes after `willTerminate` or when
  /// the bus is released.
  ///
  /// Events that a subscriber has not requested yet are kept for it. A `sink` closure written in
  /// main-actor code must only be used on a ``LifecycleBus``; `addObserver` has no such
  /// restriction.
  public var events: LifecyclePublisher<LifecycleEvent> {
    LifecyclePublisher(core: core, stream: .events(.all))
  }

  /// Returns a publisher of the events of some kinds, from now on.
  ///
  /// ```swift
  /// bus.publisher(for: [.didEnterBackground, .willTerminate])
  ///   .sink { _ in save() }
  ///   .store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: The kinds that are published.
  ///   - catchUp: The past events that a subscriber receives when it subscribes.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public func publisher(
    for kinds: LifecycleEvent.Kinds,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecyclePublisher<LifecycleEvent> {
    LifecyclePublisher(
      core: core,
      stream: .events(kinds),
      catchUp: catchUp,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// A publisher of the phase at the moment of subscribing, then of each change.
  ///
  /// A subscriber that is slow to request values receives the latest. No value follows itself.
  public var phases: LifecyclePublisher<LifecyclePhase> {
    LifecyclePublisher(core: core, stream: .phases)
  }

  /// A publisher of one stay per return to the foreground.
  public var backgroundStays: LifecyclePublisher<BackgroundStay> {
    LifecyclePublisher(core: core, stream: .backgroundStays)
  }

  /// A publisher of the inputs that were not delivered, with the reasons.
  ///
  /// It continues after `willTerminate`, until the bus is released.
  public var suppressedInputs: LifecyclePublisher<SuppressedInput> {
    LifecyclePublisher(core: core, stream: .suppressedInputs)
  }
}

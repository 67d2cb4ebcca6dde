#if Services
  public import Logging
  import ReactiveLifecycle

  /// The levels of the log entries for a bus; nil for no entry.
  ///
  /// ```swift
  /// bus.log(to: logger, levels: LifecycleLogLevels(suppressedInputs: nil), in: scope)
  /// ```
  public struct LifecycleLogLevels: Sendable, Hashable {
    /// The level of `willTerminate`.
    public var termination: Logger.Level?
    /// The level of an event that a source or the program reported.
    public var events: Logger.Level?
    /// The level of a step that the bus filled in.
    public var synthesizedSteps: Logger.Level?
    /// The level of an input that was not delivered.
    public var suppressedInputs: Logger.Level?

    /// Creates levels.
    ///
    /// - Parameters:
    ///   - termination: The level of `willTerminate`.
    ///   - events: The level of an event that a source or the program reported.
    ///   - synthesizedSteps: The level of a step that the bus filled in.
    ///   - suppressedInputs: The level of an input that was not delivered.
    public init(
      termination: Logger.Level? = .notice,
      events: Logger.Level? = .info,
      synthesizedSteps: Logger.Level? = .debug,
      suppressedInputs: Logger.Level? = .debug
    ) {
      self.termination = termination
      self.events = events
      self.synthesizedSteps = synthesizedSteps
      self.suppressedInputs = suppressedInputs
    }

    /// The default levels: `notice` for the end, `info` for reported events, and `debug` for steps
    /// that were filled in and for suppressed inputs.
    public static let standard = Self()

    func level(of event: LifecycleEvent) -> Logger.Level? {
      if event.kind == .willTerminate { return termination }
      return event.origin == .synthesized ? synthesizedSteps : events
    }
  }
#endif

#if Services
  import LifecycleCombine
  public import Logging
  public import ReactiveLifecycle

  extension LifecycleBusProtocol {
    /// Logs each event, and each input that is not delivered, until the scope ends.
    ///
    /// ```swift
    /// bus.log(to: logger, in: scope)
    /// ```
    ///
    /// ```text
    /// info: didEnterBackground (inactive → background) #6 [lifecycle.event: didEnterBackground,
    /// lifecycle.origin: source(processSignals), lifecycle.phase: background,
    /// lifecycle.previous_phase: inactive, lifecycle.sequence_number: 6, …]
    /// ```
    ///
    /// The message is the event's description. The metadata has `lifecycle.event`,
    /// `lifecycle.phase`, `lifecycle.previous_phase`, `lifecycle.sequence_number`,
    /// `lifecycle.origin`; `lifecycle.stay.duration` and `lifecycle.stay.asleep` on a return;
    /// `lifecycle.suppressed`, the reason, on a suppressed input; and what the source adds, such as
    /// `lifecycle.signal`. An observer that misses its deadline is logged by
    /// ``LifecycleSources/ProcessSignalSource/Overrun/log(to:at:)``.
    ///
    /// Entries are written where the bus delivers. Suppressed inputs are logged after
    /// `willTerminate` as well, until the bus is released. If the scope has ended, nothing is
    /// logged, and that is reported at the caller's line. Thread-safe.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The levels of the entries.
    ///   - scope: The scope that ends the logging.
    ///   - fileID: The file ID of the call site.
    ///   - filePath: The path of the call site's file.
    ///   - line: The line of the call site.
    ///   - column: The column of the call site.
    public func log(
      to logger: Logger,
      levels: LifecycleLogLevels = .standard,
      in scope: LifecycleScope,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      core.addObserver(in: scope.core, site) { event in
        guard let level = levels.level(of: event) else { return }
        logger.log(level: level, "\(event)", metadata: event.logMetadata)
      }
      guard let level = levels.suppressedInputs, !scope.isEnded else { return }
      suppressedInputs
        .sink { input in logger.log(level: level, "\(input)", metadata: input.logMetadata) }
        .store(in: scope, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
#endif

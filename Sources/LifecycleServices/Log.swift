#if Services
  import LifecycleCombine
  public import LifecycleCore
  public import LifecycleProcess
  public import Logging

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
    /// `willTerminate` has the level `notice`, an event that a source or the program reported
    /// `info`, and a step that was filled in or a suppressed input `debug`.
    ///
    /// The message is the event's description. The metadata has `lifecycle.event`,
    /// `lifecycle.phase`, `lifecycle.previous_phase`, `lifecycle.sequence_number`,
    /// `lifecycle.origin`; `lifecycle.stay.duration` and `lifecycle.stay.asleep` on a return;
    /// `lifecycle.suppressed`, the reason, on a suppressed input; and what the source adds, such as
    /// `lifecycle.signal`. An observer that misses its deadline is logged by
    /// ``LifecycleProcess/ProcessSignalSource/Overrun/log(to:at:)``.
    ///
    /// Entries are written where the bus delivers. Suppressed inputs are logged after
    /// `willTerminate` as well, until the bus is released. If the scope has ended, nothing is
    /// logged, and that is reported at the caller's line. Thread-safe.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - scope: The scope that ends the logging.
    public func log(
      to logger: Logger,
      in scope: consuming LifecycleScope,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      let site = CallSite(fileID, filePath, line, column)
      let scope = (consume scope).core
      core.addObserver(in: scope, site) { event in
        logger.log(level: event.logLevel, "\(event)", metadata: event.logMetadata)
      }
      guard !scope.isEnded else { return }
      suppressedInputs
        .sink { input in logger.debug("\(input)", metadata: input.logMetadata) }
        .store(in: scope, site)
    }
  }

  extension LifecycleEvent {
    fileprivate var logLevel: Logger.Level {
      if kind == .willTerminate { return .notice }
      return origin == .synthesized ? .debug : .info
    }

    fileprivate var logMetadata: Logger.Metadata {
      var metadata: Logger.Metadata = [
        "lifecycle.event": "\(kind)",
        "lifecycle.phase": "\(phase)",
        "lifecycle.previous_phase": "\(previousPhase)",
        "lifecycle.sequence_number": "\(sequenceNumber)",
        "lifecycle.origin": "\(origin)",
      ]
      if let backgroundStay {
        metadata["lifecycle.stay.duration"] = "\(backgroundStay.timeAway)"
        metadata["lifecycle.stay.asleep"] = "\(backgroundStay.timeAsleep)"
      }
      let added = self.metadata.map { ("lifecycle.\($0)", Logger.MetadataValue("\($1)")) }
      return metadata.merging(added) { field, _ in field }
    }
  }

  extension SuppressedInput {
    fileprivate var logMetadata: Logger.Metadata {
      [
        "lifecycle.event": "\(kind)",
        "lifecycle.suppressed": "\(reason)",
        "lifecycle.origin": "\(origin)",
      ]
    }
  }

  extension ProcessSignalSource.Overrun {
    /// Logs the overrun, with the file and line of the observer.
    ///
    /// ```swift
    /// try bus.connect(.processSignals(onOverrun: { $0.log(to: logger) }))
    ///   .store(in: scope)
    /// ```
    ///
    /// The metadata has `lifecycle.event`, `lifecycle.deadline`, and `lifecycle.observer`, as
    /// `Module/File.swift:12`, if an observer was running.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - level: The level of the entry.
    public func log(to logger: Logger, at level: Logger.Level = .warning) {
      var metadata: Logger.Metadata = [
        "lifecycle.event": "\(kind)", "lifecycle.deadline": "\(deadline)",
      ]
      if let observer { metadata["lifecycle.observer"] = "\(observer)" }
      logger.log(level: level, "\(self)", metadata: metadata)
    }
  }
#endif

#if Services
  public import LifecycleSources
  public import Logging

  extension ProcessSignalSource.Overrun {
    /// Logs the overrun, with the file and line of the observer.
    ///
    /// ```swift
    /// try bus.connect(.processSignals(onOverrun: { @Sendable in $0.log(to: logger) }))
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

#if canImport(os)
  import LifecycleCombine
  public import LifecycleCore
  public import LifecycleProcess
  public import os

  extension LifecycleBusProtocol {
    /// Logs each event, and each input that is not delivered, to the unified log, until the scope
    /// ends.
    ///
    /// It needs no package trait. `willTerminate` has the level `default`, an event that a source
    /// or the program reported `info`, and a step that was filled in or a suppressed input `debug`.
    /// All texts are public: they name phases, sources, and what sources add.
    ///
    /// Entries are written where the bus delivers. If the scope has ended, nothing is logged, and
    /// that is reported at the caller's line. Thread-safe.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - scope: The scope that ends the logging.
    public func log(
      to logger: os.Logger,
      in scope: consuming LifecycleScope,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      let site = CallSite(fileID, filePath, line, column)
      let scope = (consume scope).core
      core.addObserver(in: scope, site) { event in
        let metadata = event.metadata.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        let source = (["\(event.origin)"] + metadata).joined(separator: ", ")
        logger.log(
          level: event.unifiedLogLevel,
          "\(event.description, privacy: .public) by \(source, privacy: .public)"
        )
      }
      guard !scope.isEnded else { return }
      suppressedInputs
        .sink { input in
          logger.log(
            level: .debug,
            "\(input.description, privacy: .public) by \(input.origin.description, privacy: .public)"
          )
        }
        .store(in: scope, site)
    }
  }

  extension LifecycleEvent {
    fileprivate var unifiedLogLevel: OSLogType {
      if kind == .willTerminate { return .default }
      return origin == .synthesized ? .debug : .info
    }
  }

  extension ProcessSignalSource.Overrun {
    /// Logs the overrun, with the file and line of the observer, to the unified log, as an error.
    ///
    /// - Parameter logger: The logger.
    public func log(to logger: os.Logger) {
      logger.log(level: .error, "\(description, privacy: .public)")
    }
  }
#endif

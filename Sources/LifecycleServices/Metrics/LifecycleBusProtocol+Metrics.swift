#if Services
  import LifecycleCombine
  public import LifecycleSources
  public import ReactiveLifecycle

  extension LifecycleBusProtocol {
    /// Records the phase, the stays in the background, and the suppressed inputs, until the scope
    /// ends.
    ///
    /// ```swift
    /// let metrics = LifecycleMetrics()
    /// bus.record(in: metrics, until: scope)
    /// ```
    ///
    /// The phase is recorded at once, and at each change. The metrics are updated where the bus
    /// delivers; suppressed inputs are counted after `willTerminate` as well, until the bus is
    /// released. If the scope has ended, nothing is recorded, and that is reported at the caller's
    /// line. Thread-safe.
    ///
    /// - Parameters:
    ///   - metrics: The metrics.
    ///   - scope: The scope that ends the recording.
    ///   - fileID: The file ID of the call site.
    ///   - filePath: The path of the call site's file.
    ///   - line: The line of the call site.
    ///   - column: The column of the call site.
    public func record(
      in metrics: LifecycleMetrics,
      until scope: LifecycleScope,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      core.addObserver(.willEnterForeground, in: scope.core, site) { event in
        if let stay = event.backgroundStay { metrics.record(stay) }
      }
      guard !scope.isEnded else { return }
      phases
        .sink { metrics.record($0) }
        .store(in: scope, fileID: fileID, filePath: filePath, line: line, column: column)
      suppressedInputs
        .sink { metrics.record($0.reason) }
        .store(in: scope, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  extension ProcessSignalSource.Overrun {
    /// Counts the overrun, by its event and the file and line of the observer.
    ///
    /// ```swift
    /// try bus.connect(
    ///   .processSignals(onOverrun: { @Sendable in $0.record(in: metrics) })
    /// )
    /// .store(in: scope)
    /// ```
    ///
    /// - Parameter metrics: The metrics.
    public func record(in metrics: LifecycleMetrics) {
      metrics.record(self)
    }
  }
#endif

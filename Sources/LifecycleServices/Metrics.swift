#if Services
  import LifecycleCombine
  public import LifecycleCore
  public import LifecycleProcess
  public import Metrics

  extension LifecycleBusProtocol {
    /// Exports the phase, the stays in the background, and the suppressed inputs as metrics, until
    /// the scope ends.
    ///
    /// ```swift
    /// let metrics = LifecycleMetrics()
    /// bus.export(to: metrics, in: scope)
    /// ```
    ///
    /// The phase is exported at once, and at each change. The metrics are updated where the bus
    /// delivers; suppressed inputs are counted after `willTerminate` as well, until the bus is
    /// released. If the scope has ended, nothing is exported, and that is reported at the caller's
    /// line. Thread-safe.
    ///
    /// - Parameters:
    ///   - metrics: The metrics.
    ///   - scope: The scope that ends the export.
    public func export(
      to metrics: LifecycleMetrics,
      in scope: consuming LifecycleScope,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      let site = CallSite(fileID, filePath, line, column)
      let scope = (consume scope).core
      core.addObserver(.willEnterForeground, in: scope, site) { event in
        if let stay = event.backgroundStay { metrics.stays.record(duration: stay.timeAway) }
      }
      guard !scope.isEnded else { return }
      phases
        .sink { current in
          for (phase, gauge) in metrics.phases { gauge.record(phase == current ? 1 : 0) }
        }
        .store(in: scope, site)
      suppressedInputs
        .sink { metrics.suppressedInputs[$0.reason]?.increment() }
        .store(in: scope, site)
    }
  }

  extension ProcessSignalSource.Overrun {
    /// Counts the overrun, by its event and the file and line of the observer.
    ///
    /// ```swift
    /// try bus.connect(.processSignals(onOverrun: { $0.export(to: metrics) }))
    ///   .store(in: scope)
    /// ```
    ///
    /// - Parameter metrics: The metrics.
    public func export(to metrics: LifecycleMetrics) {
      let observer = observer.map { "\($0)" } ?? "none"
      Counter(
        label: "\(metrics.prefix).observer.overruns",
        dimensions: [("event", "\(kind)"), ("observer", observer)],
        factory: metrics.factory
      )
      .increment()
    }
  }

  /// The metrics of a bus.
  ///
  /// | label | type | dimensions | value |
  /// | --- | --- | --- | --- |
  /// | `lifecycle.phase` | gauge | `phase` | 1 for the current phase, 0 for the others |
  /// | `lifecycle.background.stay` | timer | | the duration of each stay in the background |
  /// | `lifecycle.suppressed.inputs` | counter | `reason` | the inputs that were not delivered |
  /// | `lifecycle.observer.overruns` | counter | `event`, `observer` | the missed deadlines |
  ///
  /// ```swift
  /// let metrics = LifecycleMetrics()
  /// bus.export(to: metrics, in: scope)
  /// try bus.connect(.processSignals(onOverrun: { $0.export(to: metrics) }))
  ///   .store(in: scope)
  /// ```
  public struct LifecycleMetrics: Sendable {
    fileprivate let prefix: String
    fileprivate let factory: any MetricsFactory
    fileprivate let stays: Timer
    fileprivate let phases: [LifecyclePhase: Gauge]
    fileprivate let suppressedInputs: [SuppressedInput.Reason: Counter]

    /// Creates metrics.
    ///
    /// - Parameters:
    ///   - prefix: The first part of the labels.
    ///   - factory: The backend; by default that of `MetricsSystem`, which is to be bootstrapped
    ///     before.
    public init(prefix: String = "lifecycle", factory: any MetricsFactory = MetricsSystem.factory) {
      self.prefix = prefix
      self.factory = factory
      stays = Timer(label: "\(prefix).background.stay", dimensions: [], factory: factory)
      phases = Dictionary(
        uniqueKeysWithValues: LifecyclePhase.allCases.map { phase in
          let dimensions = [("phase", phase.rawValue)]
          return (phase, Gauge(label: "\(prefix).phase", dimensions: dimensions, factory: factory))
        }
      )
      let label = "\(prefix).suppressed.inputs"
      suppressedInputs = Dictionary(
        uniqueKeysWithValues: SuppressedInput.Reason.allCases.map { reason in
          let dimensions = [("reason", reason.rawValue)]
          return (reason, Counter(label: label, dimensions: dimensions, factory: factory))
        }
      )
    }
  }
#endif

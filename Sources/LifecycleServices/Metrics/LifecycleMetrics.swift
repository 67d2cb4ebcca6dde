#if Services
  import LifecycleSources
  public import Metrics
  import ReactiveLifecycle

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
  /// bus.record(in: metrics, until: scope)
  /// try bus.connect(
  ///   .processSignals(onOverrun: { @Sendable in $0.record(in: metrics) })
  /// )
  /// .store(in: scope)
  /// ```
  public struct LifecycleMetrics: Sendable {
    private let prefix: String
    private let factory: any MetricsFactory
    private let stays: Timer
    private let phases: [LifecyclePhase: Gauge]
    private let suppressedInputs: [SuppressedInput.Reason: Counter]

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

    func record(_ current: LifecyclePhase) {
      for (phase, gauge) in phases { gauge.record(phase == current ? 1 : 0) }
    }

    func record(_ stay: BackgroundStay) {
      stays.record(duration: stay.duration)
    }

    func record(_ reason: SuppressedInput.Reason) {
      suppressedInputs[reason]?.increment()
    }

    func record(_ overrun: ProcessSignalSource.Overrun) {
      let observer = overrun.observer.map { "\($0)" } ?? "none"
      let dimensions = [("event", "\(overrun.kind)"), ("observer", observer)]
      Counter(label: "\(prefix).observer.overruns", dimensions: dimensions, factory: factory)
        .increment()
    }
  }
#endif

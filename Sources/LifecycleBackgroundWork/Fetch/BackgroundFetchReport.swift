import ReactiveLifecycle

/// The outcome of one fetch of a ``BackgroundFetchCoordinator``.
///
/// ```swift
/// let report = await fetches.performFetch(deadline: .seconds(30))
/// for handler in report.handlers { trace("\(handler.name): \(handler.outcome.result)") }
/// ```
public struct BackgroundFetchReport: Sendable {
  /// The part of one handler in a fetch.
  public struct Handler: Sendable {
    /// The outcome of a handler.
    public enum Outcome: Sendable {
      /// There is new data.
      case newData
      /// There is no new data.
      case noData
      /// The handler could not determine whether there is new data, because of an error.
      case failed(any Error)

      /// The outcome without its reason.
      public var result: BackgroundFetchResult {
        switch self {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
      }
    }

    /// The name under which the handler was added.
    public var name: String
    /// The handler's answer, or the reason why there was none.
    public var outcome: Outcome
    /// The time from the beginning of the fetch to the answer, or to the end of the fetch.
    public var duration: Duration

    /// Creates the part of a handler, for tests.
    public init(name: String, outcome: Outcome, duration: Duration) {
      self.name = name
      self.outcome = outcome
      self.duration = duration
    }
  }

  /// The number of the fetch: 1, 2, 3, … within its coordinator.
  public var number: Int
  /// The combined result of all handlers.
  public var result: BackgroundFetchResult
  /// The duration of the fetch, on the clock of the bus.
  public var duration: Duration
  /// The handlers, in the order in which they were added, without those that were removed before
  /// they answered.
  public var handlers: [Handler]

  /// Creates a report, for tests.
  public init(
    number: Int,
    result: BackgroundFetchResult,
    duration: Duration,
    handlers: [Handler] = []
  ) {
    self.number = number
    self.result = result
    self.duration = duration
    self.handlers = handlers
  }
}

// The mirror of `Duration` shows its storage: two halves of a number of attoseconds.
extension BackgroundFetchReport: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "number": number,
        "result": result,
        "duration": Seconds(duration),
        "handlers": handlers,
      ],
      displayStyle: .struct
    )
  }
}

extension BackgroundFetchReport.Handler: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name,
        "outcome": outcome,
        "duration": Seconds(duration),
      ],
      displayStyle: .struct
    )
  }
}

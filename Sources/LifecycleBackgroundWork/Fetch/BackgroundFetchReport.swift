import ReactiveLifecycle

/// What became of one fetch of a ``BackgroundFetchCoordinator``.
///
/// ```swift
/// let report = await fetches.performFetch(deadline: .seconds(30))
/// for handler in report.handlers { trace("\(handler.name): \(handler.outcome.result)") }
/// ```
public struct BackgroundFetchReport: Sendable {
  /// What one handler did.
  public struct Handler: Sendable {
    /// What a handler has to say.
    public enum Outcome: Sendable {
      /// There is something new.
      case newData
      /// There is nothing new.
      case noData
      /// It could not be found out, for that reason.
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

    /// The name that it was added under.
    public var name: String
    /// Its answer, or why there was none.
    public var outcome: Outcome
    /// The time from the beginning of the fetch to the answer, or to the end of the fetch.
    public var duration: Duration

    /// A handler's part, as a test makes it.
    public init(name: String, outcome: Outcome, duration: Duration) {
      self.name = name
      self.outcome = outcome
      self.duration = duration
    }
  }

  /// The fetch's number: 1, 2, 3, … of its coordinator.
  public var number: Int
  /// What all handlers together have found.
  public var result: BackgroundFetchResult
  /// How long the fetch took, on the clock of the bus.
  public var duration: Duration
  /// The handlers in the order in which they were added, without those that were removed before they
  /// answered.
  public var handlers: [Handler]

  /// A report, as a test makes it.
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

// `Duration` would show how it is stored: two halves of a number of attoseconds.
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

import LifecycleCore

/// A report on one fetch of a ``BackgroundFetchCoordinator``.
///
/// ```swift
/// let report = await fetches.performFetch(deadline: .seconds(30))
/// for handler in report.handlers { trace("\(handler.name): \(handler.result.fetchResult)") }
/// ```
public struct BackgroundFetchReport: Sendable {
  /// The result of one handler.
  public enum HandlerResult: Sendable {
    /// There is new data.
    case newData
    /// There is no new data.
    case noData
    /// The handler could not determine whether there is new data, because of an error.
    case failed(any Error)

    /// The result without the error.
    public var fetchResult: BackgroundFetchResult {
      switch self {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
    }
  }

  /// The part of one handler in a fetch.
  public struct Handler: Sendable {
    /// The name under which the handler was added.
    public let name: String
    /// The handler's answer, or the reason why there was none.
    public let result: HandlerResult
    /// The time from the beginning of the fetch to the answer, or to the end of the fetch.
    public let duration: Duration
  }

  /// The number of the fetch: 1, 2, 3, … within its coordinator.
  public let number: Int
  /// The combined result of all handlers.
  public let result: BackgroundFetchResult
  /// The duration of the fetch, on the clock of the bus.
  public let duration: Duration
  /// The handlers, in the order in which they were added, without those that were removed before
  /// they answered.
  public let handlers: [Handler]
}

/// The reason for the failure of a handler that has not answered.
///
/// ```swift
/// switch error {
/// case BackgroundFetchError.deadlineMissed: trace("too slow")
/// default: trace("\(error)")
/// }
/// ```
@nonexhaustive
public enum BackgroundFetchError: Error, Hashable {
  /// The deadline passed before the handler answered.
  case deadlineMissed
  /// The bus or the coordinator ended before the handler answered.
  case ended
}

extension BackgroundFetchError: CustomStringConvertible {
  /// A description of the failure, such as `no answer by the deadline`.
  public var description: String {
    switch self {
    case .deadlineMissed: "no answer by the deadline"
    case .ended: "ended before the handler answered"
    }
  }
}

/// What one handler of a ``BackgroundFetchCoordinator`` has to say.
public enum BackgroundFetchOutcome: Sendable {
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

/// Why a handler has failed that has not said so itself.
public enum BackgroundFetchError: Error, Hashable, CustomStringConvertible {
  /// Time was up before it answered.
  case deadlineMissed
  /// Its completion was released, so that no answer could come any more.
  case neverAnswered
  /// The bus or the coordinator has ended before it answered.
  case ended

  public var description: String {
    switch self {
    case .deadlineMissed: "no answer by the deadline"
    case .neverAnswered: "never answered"
    case .ended: "ended before an answer came"
    }
  }
}

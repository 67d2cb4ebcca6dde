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

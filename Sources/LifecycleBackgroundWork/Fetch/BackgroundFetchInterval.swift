/// How much time there is between two background fetches, at least.
public enum BackgroundFetchInterval: Sendable, Hashable {
  /// The process is not woken up for fetches.
  case never
  /// As often as the system, or the scheduler, likes.
  case minimum
  /// That much time, or more. A negative duration counts as zero.
  case after(Duration)

  /// As a ``BackgroundFetchHost`` is told.
  public var duration: Duration? {
    switch self {
    case .never: nil
    case .minimum: .zero
    case .after(let duration): max(duration, .zero)
    }
  }
}

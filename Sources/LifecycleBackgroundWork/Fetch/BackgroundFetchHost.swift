/// Whoever wakes the process up to fetch what is new: UIKit's background fetch, the scheduler of
/// background tasks, a timer on Linux, or a double in tests.
///
/// ```swift
/// host.setMinimumInterval(.seconds(900))
/// host.setFetchHandler { request in
///   feed.refresh { isNew in request.complete(isNew ? .newData : .noData) }
/// }
/// ```
public protocol BackgroundFetchHost: Sendable {
  /// Says how often the process wants to be woken up. Any thread.
  ///
  /// The time between two fetches is never less, and as much more as the system likes:
  /// `setMinimumBackgroundFetchInterval` in UIKit; the earliest date of a refresh that is submitted
  /// again after each one, with `BGTaskScheduler`.
  ///
  /// - Parameter interval: Not negative; zero for as often as the system lets it. Nil, as it is at the
  ///   beginning, for never.
  func setMinimumInterval(_ interval: Duration?)

  /// Says what a fetch is. Any thread. One handler at a time: it takes the place of the one before,
  /// which keeps the fetches that it was given.
  ///
  /// To be set before the process has finished launching: the system may have launched it for a fetch.
  ///
  /// - Parameter handler: Called for each fetch, on any thread, also while an earlier fetch is not
  ///   complete. It must not wait for the work: what it started completes the request. Nil: there
  ///   is nothing to fetch, and each request is answered with `noData`.
  func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?)
}

/// What a background fetch has brought.
public enum BackgroundFetchResult: String, Sendable, Hashable, Codable, CaseIterable {
  /// There is something new; the system takes another picture of the screen.
  case newData
  /// There is nothing new.
  case noData
  /// It could not be found out.
  case failed
}

/// A type that wakes the process up to fetch new data: UIKit's background fetch, the scheduler of
/// background tasks, a timer on Linux, or a double in tests.
///
/// ```swift
/// host.setMinimumInterval(.seconds(900))
/// host.setFetchHandler { request in
///   feed.refresh { isNew in request.complete(isNew ? .newData : .noData) }
/// }
/// ```
public protocol BackgroundFetchHost: Sendable {
  /// Sets how often the process wants to be woken up. Thread-safe.
  ///
  /// The time between two fetches is at least the interval, and longer if the system chooses:
  /// `setMinimumBackgroundFetchInterval` in UIKit; with `BGTaskScheduler`, the earliest date of a
  /// refresh that is submitted again after each one.
  ///
  /// - Parameter interval: The interval, which is not negative; zero for as often as the system
  ///   allows. Nil, the initial value, for never.
  func setMinimumInterval(_ interval: Duration?)

  /// Sets the handler that performs a fetch.
  ///
  /// Thread-safe. A host has one handler at a time: a new one replaces the previous one, which
  /// keeps the fetches that it has received.
  ///
  /// Set the handler before the process has finished launching: the system may have launched it for
  /// a fetch.
  ///
  /// - Parameter handler: Called on any thread for each fetch, even while an earlier fetch is not
  ///   complete. It must not wait for the work: the work that it starts completes the request. If
  ///   nil, there is nothing to fetch, and each request is answered with `noData`.
  func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?)
}

/// The result of a background fetch.
public enum BackgroundFetchResult: String, Sendable, Hashable, Codable, CaseIterable {
  /// There is new data; the system takes another picture of the screen.
  case newData
  /// There is no new data.
  case noData
  /// The fetch could not determine whether there is new data.
  case failed
}

import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// The form in which the program reports its activity.
@MainActor
protocol FeedReport: LifecycleReport {
  /// Reports that a fetch is under way and has loaded the given number of bytes.
  func progress(bytes: Int)
  func fetch(_ fetch: FeedFetch)
}

/// The outcome of one fetch.
struct FeedFetch: Hashable, Sendable {
  var number: Int
  var result: BackgroundFetchResult
  /// The reason of the failure, if the fetch has failed.
  var reason: String?
  var duration: Duration
  var newEntries: [Feed.Entry]

  init(
    number: Int,
    result: BackgroundFetchResult,
    reason: String? = nil,
    duration: Duration,
    newEntries: [Feed.Entry] = []
  ) {
    self.number = number
    self.result = result
    self.reason = reason
    self.duration = duration
    self.newEntries = newEntries
  }
}

import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// How the program tells what happens.
@MainActor
protocol FeedReport: LifecycleReport {
  /// A fetch is under way, and has loaded so many bytes.
  func progress(bytes: Int)
  func fetch(_ fetch: FeedFetch)
}

/// What became of one fetch.
struct FeedFetch: Hashable, Sendable {
  var number: Int
  var result: BackgroundFetchResult
  /// Why it has failed, if it has.
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

import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// How the program tells what happens.
@MainActor
package protocol FeedReport: LifecycleReport {
  /// A fetch is under way, and has loaded so many bytes.
  func progress(bytes: Int)
  func fetch(_ fetch: FeedFetch)
}

/// What became of one fetch.
package struct FeedFetch: Hashable, Sendable {
  package var number: Int
  package var result: BackgroundFetchResult
  /// Why it has failed, if it has.
  package var reason: String?
  package var duration: Duration
  package var newEntries: [Feed.Entry]

  package init(
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

import CustomDump
import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle
import Testing

@testable import FeedRefresher

@Suite("Reports of a feed")
@MainActor
struct FeedReportTests {
  private func tell(_ report: any FeedReport) {
    report.progress(bytes: 0)
    report.progress(bytes: 2001)
    let titles = (1...12).map { "Title \($0)" }
    report.fetch(
      FeedFetch(number: 1, result: .newData, duration: .milliseconds(1234), newTitles: titles)
    )
    report.fetch(FeedFetch(number: 2, result: .noData, duration: .milliseconds(20)))
    report.fetch(
      FeedFetch(
        number: 3,
        result: .failed,
        reason: "HTTP status 500",
        duration: .microseconds(20_600)
      )
    )
  }

  @Test("Text without a terminal: a line a fetch, and some titles")
  func textWithoutTerminal() {
    var text = ""
    tell(TextFeedReport(TextPage(terminal: nil) { text += $0 }))
    expectNoDifference(
      text,
      """
      1. 12 new entries (1.2 s)
         - Title 1
         - Title 2
         - Title 3
         - Title 4
         - Title 5
         - Title 6
         - Title 7
         - Title 8
         - Title 9
         - Title 10
         and 2 more
      2. nothing new (0.0 s)
      3. failed: HTTP status 500 (0.0 s)

      """
    )
  }
}

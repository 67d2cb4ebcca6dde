import CustomDump
import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle
import Testing

@testable import FeedRefresher

@Suite("Reports of a feed")
@MainActor
struct FeedReportTests {
  @Test("The text of a fetch without a terminal is a line and up to ten titles")
  func textWithoutTerminal() {
    var text = ""
    let report = TextFeedReport(TextPage(terminal: nil) { text += $0 })
    report.progress(bytes: 2001)
    let (titles, duration) = ((1...12).map { "Title \($0)" }, Duration.milliseconds(1234))
    report.fetch(FeedFetch(number: 1, result: .newData, duration: duration, newTitles: titles))
    let reason = "HTTP status 500"
    report.fetch(FeedFetch(number: 2, result: .failed, reason: reason, duration: duration))
    let shown = titles.prefix(10).map { "   - \($0)\n" }.joined()
    expectNoDifference(
      text,
      "1. 12 new entries (1.2 s)\n\(shown)   and 2 more\n2. failed: HTTP status 500 (1.2 s)\n"
    )
  }
}

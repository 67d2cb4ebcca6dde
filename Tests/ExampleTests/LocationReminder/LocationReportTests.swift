import CustomDump
import LifecycleTesting
import ProgramReporting
import Testing

@testable import LocationReminder

@Suite("Reports of a location")
@MainActor
struct LocationReportTests {
  private let fix = Track.Fix(
    position: Position(latitude: 48.0 + 51.504 / 60, longitude: 2.0 + 17.67 / 60),
    time: .seconds(12)
  )

  private func report(_ report: any LocationReport) {
    report.position(fix)
    report.rest(requested: .seconds(1), granted: .seconds(1))
    report.rest(requested: .seconds(10), granted: .milliseconds(4500))
    report.rest(requested: .seconds(10), granted: .milliseconds(4500))
    report.reminder(fix.position, distance: 12.345)
    report.summary(
      LocationSummary(positions: 600, skippedSentences: 1, receiverOn: .milliseconds(12_000))
    )
  }

  @Test("The text without a terminal omits positions, and reports a short rest once")
  func textWithoutTerminal() {
    var text = ""
    let page = TextPage(terminal: nil) { text += $0 }
    report(TextLocationReport(page, length: .seconds(60), receiverOn: { .seconds(3) }))
    expectNoDifference(
      text,
      """
      A rest of 10.0 s exceeds the time that the system grants, and was shortened to 4.5 s.
      You have arrived: 48.85840, 2.29450 is 12 m from the place.
      The track has ended: 600 positions, 1 sentence skipped. The receiver was on for 12.0 s.

      """
    )
  }
}

import CustomDump
import Foundation
import LifecycleFlightRecording
import LifecycleTimelines
import TestSupport
import Testing

/// Opens the pages in a real browser, by `check-timeline`.
@Suite("Timeline pages in a browser", .startsProcesses)
struct ChromiumTests {
  private static let hasPython = ProgramCapability.isInPath("python3")
  private static let chromium = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    .first(where: ProgramCapability.isInPath)

  private let directory = TemporaryDirectory()

  @Test(
    "A page first shows its picture, without overlapping texts or errors, and zooms and moves",
    .enabled(if: chromium != nil && hasPython, "needs Python, and apt-get install chromium")
  )
  func pages() throws {
    let pages = [
      "everything.html": [Story.rental, .hostile, .countdowns(200)].map(\.recording),
      "week.html": [Story.week(records: 2_000).recording], "empty.html": [],
      "damaged.html": RandomRecording.runs(seed: 6),
    ]
    for (name, recordings) in pages {
      directory.write(LifecycleTimeline(recordings).html.utf8, to: name)
    }
    let process = Process()
    process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "check-timeline")
    process.arguments = try [#require(Self.chromium)] + pages.keys.map(directory.path)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    expectNoDifference(process.terminationStatus, 0, "\(text)")
  }
}

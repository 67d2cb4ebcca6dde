import CustomDump
import Foundation
import LifecycleTimelines
import TestSupport
import Testing

/// Opens the pages in a real browser, by `.ci/check-timeline`.
///
/// With `LIFECYCLE_TIMELINE_FOLDER` the pages and their screenshots are kept there, to be looked at.
@Suite("Timeline pages in a browser", .startsProcesses)
struct ChromiumTests {
  static let missing =
    "no Chromium, or no Python, on the search path; on Debian: apt-get install chromium"

  static var hasPython: Bool { ProgramCapability.isInPath("python3") }

  static var hasChromium: Bool {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    return names.contains(where: ProgramCapability.isInPath) && hasPython
  }

  private let directory = TemporaryDirectory()

  @Test(
    "No two texts overlap, no error in the console, and zooming works, in light and dark and at two widths",
    .enabled(if: hasChromium, "\(missing)")
  )
  func pages() throws {
    let kept = ProcessInfo.processInfo.environment["LIFECYCLE_TIMELINE_FOLDER"]
    let folder = kept.map { URL(filePath: $0) } ?? directory.url
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PageFiles.write(kept == nil ? PageFiles.some : PageFiles.all, to: folder)
    let screenshots = ["--screenshots", folder.appending(path: "screenshots").path]
    try check(folder, kept == nil ? [] : screenshots)
  }

  @Test(
    "The page's security policy names the script that the page has",
    .enabled(if: hasPython, "no python3 on the search path")
  )
  func hash() throws {
    try PageFiles.write([("short", [Story.short.recording])], to: directory.url)
    try check(directory.url, ["--hash-only"])
  }

  private func check(_ folder: URL, _ options: [String]) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../.ci/check-timeline").standardizedFileURL
    let process = Process()
    process.executableURL = script
    process.arguments = [folder.path] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    expectNoDifference(process.terminationStatus, 0, "\(text)")
  }
}

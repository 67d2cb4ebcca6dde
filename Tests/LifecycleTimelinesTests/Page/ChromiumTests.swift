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

  static var hasChromium: Bool {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    return names.contains(where: isProgram) && isProgram("python3")
  }

  private static func isProgram(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  @Test(
    "No two texts overlap, no error in the console, and zooming works, in light and dark and at two widths",
    .enabled(if: hasChromium, "\(missing)")
  )
  func pages() throws {
    let kept = ProcessInfo.processInfo.environment["LIFECYCLE_TIMELINE_FOLDER"]
    let folder =
      kept.map { URL(filePath: $0) }
      ?? FileManager.default.temporaryDirectory.appending(path: "timelines-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(at: folder) } }
    try PageFiles.write(kept == nil ? PageFiles.some : PageFiles.all, to: folder)
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../.ci/check-timeline").standardizedFileURL
    let process = Process()
    process.executableURL = script
    process.arguments =
      [folder.path]
      + (kept == nil ? [] : ["--screenshots", folder.appending(path: "screenshots").path])
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }
}

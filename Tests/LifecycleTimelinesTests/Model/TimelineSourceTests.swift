import CustomDump
import Foundation
import Testing

@Suite("The sources of timelines")
struct TimelineSourceTests {
  @Test("No line of the module reads a clock, the environment, or a file")
  func values() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/LifecycleTimelines")
      .standardized
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 30)
    let names = [
      "Date()", "Date.now", "Clock.now", "Clock().now", " .now", "(.now", "getenv", "ProcessInfo",
      "CommandLine", "Locale.", "Calendar.", "TimeZone.", "FileManager", "FileHandle", "fopen",
      "contentsOf", "import Glibc",
    ]
    for file in files {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      expectNoDifference(names.filter { text.contains($0) }, [], "\(file)")
    }
  }
}

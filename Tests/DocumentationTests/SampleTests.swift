import Foundation
import Testing

/// Every `swift` block in the README, in the articles and in documentation comments stands, line for
/// line, in a file that is compiled: in `Samples/`, whose functions `SampleRuns` runs, or among the
/// examples.
@Suite("Documentation samples")
struct SampleTests {
  private static let compiledSources = try! Sample.compiledSources()

  @Test("Every sample stands in a file that is compiled", arguments: try! Sample.all())
  func isCompiled(_ sample: Sample) {
    #expect(
      Self.compiledSources.contains { $0.contains(sample.lines) },
      """
      The sample at \(sample.place) stands in no compiled file. Put it, line for line, into \
      Tests/DocumentationTests/Samples:
      \(sample.lines.joined(separator: "\n"))
      """
    )
  }

  @Test("Samples are found in the README, in the articles and in comments")
  func samplesAreFound() throws {
    let files = Set(try Sample.all().map(\.file))
    #expect(files.contains("README.md"))
    #expect(files.contains { $0.hasSuffix("Guarantees.md") })
    #expect(files.contains { $0.hasSuffix("LifecycleBus.swift") })
  }
}

struct Sample: Sendable, CustomTestStringConvertible {
  let file: String
  let line: Int
  let lines: [String]

  var place: String { "\(file):\(line)" }
  var testDescription: String { place }

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The blocks in the README, in the articles and in the documentation comments of the libraries.
  static func all() throws -> [Sample] {
    let files = ["README.md"] + (try paths(below: "Sources", endingIn: [".swift", ".md"]))
    return try files.flatMap { file in
      samples(in: try String(contentsOf: root.appending(path: file), encoding: .utf8), file)
    }
  }

  /// The trimmed lines of every file that is compiled and may hold a sample.
  static func compiledSources() throws -> [[String]] {
    let files =
      try paths(below: "Tests/DocumentationTests/Samples", endingIn: [".swift"])
      + paths(below: "Tests/LifecycleServicesTests/Samples", endingIn: [".swift"])
      + paths(below: "Examples", endingIn: [".swift"])
    return try files.map { file in
      trimmedLines(of: try String(contentsOf: root.appending(path: file), encoding: .utf8))
    }
  }

  private static func samples(in text: String, _ file: String) -> [Sample] {
    var samples: [Sample] = []
    var open: (line: Int, lines: [String])?
    for (index, var line) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init).enumerated()
    {
      line = line.trimmingCharacters(in: .whitespaces)
      if file.hasSuffix(".swift") {
        guard line.hasPrefix("///") else { continue }
        line = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
      }
      if let block = open, line == "```" {
        samples.append(Sample(file: file, line: block.line, lines: block.lines))
        open = nil
      } else if open != nil {
        if !line.isEmpty { open?.lines.append(line) }
      } else if line == "```swift" {
        open = (index + 1, [])
      }
    }
    return samples
  }

  private static func trimmedLines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private static func paths(below folder: String, endingIn endings: [String]) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      // Not what a separate package has built and fetched.
      .filter { path in !path.contains("/.") && endings.contains { path.hasSuffix($0) } }
      .map { "\(folder)/\($0)" }
      .sorted()
  }
}

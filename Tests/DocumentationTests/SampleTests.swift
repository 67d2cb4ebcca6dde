import CustomDump
import Foundation
import TestSupport
import Testing

/// Every `swift` block in the README, in the articles and in documentation comments stands, line for
/// line, in a file that is compiled: in `Samples/` or among the examples.
@Suite("Documentation samples")
struct SampleTests {
  private static let compiledSources = try! Sample.compiledSources()

  @Test("Every sample stands in a file that is compiled")
  func isCompiled() throws {
    let samples = try Sample.all()
    #expect(samples.count > 300)
    #expect(samples.contains { $0.place.hasPrefix("README.md:") })
    #expect(samples.contains { $0.place.contains("/GettingStarted.md:") })
    for sample in samples {
      #expect(
        Self.compiledSources.contains { $0.contains(sample.lines) },
        """
        The sample at \(sample.place) stands in no compiled file. Put it, line for line, into \
        Tests/DocumentationTests/Samples:
        \(sample.lines.joined(separator: "\n"))
        """
      )
    }
  }
}

struct Sample {
  let place: String
  var lines: [String] = []

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The blocks in the README, in the articles and in the documentation comments of the libraries.
  static func all() throws -> [Sample] {
    let files = ["README.md"] + (try paths(below: "Sources", endingIn: [".swift", ".md"]))
    return try files.flatMap { file in samples(in: try text(file), file) }
  }

  /// The trimmed lines of every file that is compiled and may hold a sample.
  static func compiledSources() throws -> [[String]] {
    let folders = [
      "Tests/DocumentationTests/Samples", "Tests/LifecycleServicesTests/Samples", "Examples",
    ]
    return try folders.flatMap { try paths(below: $0, endingIn: [".swift"]) }.map { file in
      try text(file).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter(isCompared)
    }
  }

  /// Most samples do not show which systems they need.
  private static func isCompared(_ line: String) -> Bool {
    !line.isEmpty && !line.hasPrefix("@available(")
  }

  private static func samples(in text: String, _ file: String) -> [Sample] {
    var samples: [Sample] = []
    var open: Sample?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      var line = line.trimmingCharacters(in: .whitespaces)
      if file.hasSuffix(".swift") {
        guard line.hasPrefix("///") else { continue }
        line = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
      }
      if open == nil {
        if line == "```swift" { open = Sample(place: "\(file):\(index + 1)") }
      } else if line == "```", let sample = open.take() {
        samples.append(sample)
      } else if isCompared(line) {
        open?.lines.append(line)
      }
    }
    if let open { Issue.record("The sample at \(open.place) has no end.") }
    return samples
  }

  static func paths(below folder: String, endingIn endings: [String]) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      // Not what a separate package has built and fetched.
      .filter { path in !"/\(path)".contains("/.") && endings.contains { path.hasSuffix($0) } }
      .map { "\(folder)/\($0)" }
      .sorted()
  }
}

/// The recipes as a client with another default isolation compiles them.
@Suite(
  "Recipes in a new Xcode project",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .startsProcesses
)
struct RecipeModeTests {
  @Test("The recipes compile where all code is on the main actor", arguments: ["5", "6"])
  func onMainActor(_ version: String) throws {
    let features = ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
    let options =
      [
        "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", version,
        "-default-isolation", "MainActor",
      ] + features.flatMap { ["-enable-upcoming-feature", $0] }
    let recipes = try Sample.text("Tests/DocumentationTests/Samples/RecipeSamples.swift")
    let compiler = try #require(Compiler())
    expectNoDifference(try compiler.diagnostics(in: recipes, importing: [], options: options), [])
  }
}

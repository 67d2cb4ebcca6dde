import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// What `Examples/README.md` says. `LifecycleTourTests` compares the recording of the tour.
@Suite("README of the examples", .serialized, .startsProcesses)
struct ExampleReadmeTests {
  /// The programs whose recordings are played, but for `feed-refresher`, which needs a server, and
  /// `lifecycle-monitor`, whose times are its subject; `MonitorRecordTests` does the same with it.
  static let programs = [
    "quick-start", "rental-countdown", "verification-code", "load-monitor", "location-reminder",
  ]

  @Test(
    "A program shows what the README has recorded of it",
    .enabled(if: RecordedShell.isPossible, "there is no bash in PATH"),
    arguments: programs
  )
  func recording(program: String) async throws {
    // With this radius, a machine that is busy for a second sees the arrival, too.
    try await withRecordedShell(replacing: [("--rate 100", "--rate 100 --radius 9999")]) { shell in
      try shell.play(ExampleReadme.recording(of: program))
    }
  }

  @Test(
    "feed-refresher shows what the README has recorded of it",
    .enabled(if: RecordedShell.isPossible, "there is no bash in PATH")
  )
  func recordingOfFeed() async throws {
    let recording = try ExampleReadme.recording(of: "feed-refresher")
    let (first, later) = recording.titles
    try #require(!first.isEmpty && !later.isEmpty)
    let server = try FeedServer()
    server.publish(feed(titled: first))
    try await withRecordedShell(
      replacing: [
        ("https://www.swift.org/atom.xml", server.url.absoluteString),
        ("--interval 60", "--interval 1 --deadline 86400"),
      ]
    ) { shell in
      try shell.play(recording) { command in
        // The process is stopped: the next fetch is the one in the background.
        if command == "bg" { server.publish(feed(titled: later + first)) }
      }
    }
  }
}

/// Runs the body with a shell, and with a file of its own in place of `/tmp/code`.
private func withRecordedShell(
  replacing replacements: [RecordedShell.Replacement],
  _ body: @Sendable (RecordedShell) throws -> Void
) async throws {
  try await withCountdownSession { session in
    let directory = TemporaryDirectory()
    let state = RecordedShell.Replacement("/tmp/code", directory.path("code"))
    let replacements = replacements + [state]
    try withExtendedLifetime(directory) {
      try body(RecordedShell(session, folder: directory.url, replacing: replacements))
    }
  }
}

private func feed(titled titles: [String]) -> Data {
  let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }
  return Data("<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>".utf8)
}

extension Recording {
  /// The titles that a fetch has listed before the program goes to the background, and those after it.
  fileprivate var titles: (first: [String], later: [String]) {
    let parts = steps.split(separator: .key(PseudoTerminal.controlZ), maxSplits: 1)
    let titles = parts.map { part in
      part.compactMap { step -> String? in
        guard case .output(let line) = step, line.hasPrefix("   - ") else { return nil }
        return String(line.dropFirst(5))
      }
    }
    return (titles.first ?? [], titles.dropFirst().first ?? [])
  }
}

import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Monitor: replay, timeline, explain", .serialized, .startsProcesses)
struct MonitorShowTests {
  /// Arguments, the status, and what the message names.
  private static let failures: [(arguments: [String], status: CInt, named: String)] = [
    (["frob"], 64, "frob"),
    (["explain"], 64, "<file>"),
    (["explain", "LIFE", "--format", "xml"], 64, "--format"),
    (["explain", "LIFE", "--long-stay", "-1"], 64, "--long-stay"),
    (["replay", "LIFE", "--speed", "0"], 64, "--speed"),
    (["timeline", "LIFE", "--html", "LIFE"], 64, "replace"),
    (["record", "x", "true"], 64, "--"),
    (["explain", "/etc/passwd"], 65, "/etc/passwd"),
    (["timeline", "EMPTY"], 65, "empty"),
    (["explain", "/no/such/file"], 66, "/no/such/file"),
    (["timeline", "LIFE", "--html", "/no/such/folder/x"], 73, "/no/such/folder/x"),
    (["timeline", "LIFE", "--svg", "/dev/full"], 74, "/dev/full"),
  ]

  @Test("Each failure has a message and a conventional status")
  func failures() async throws {
    try await withLife { monitor in
      try Data().write(to: URL(filePath: monitor.path("empty")))
      for (arguments, status, named) in Self.failures {
        let arguments = arguments.map { argument in
          ["LIFE", "EMPTY"].contains(argument) ? monitor.path(argument.lowercased()) : argument
        }
        let result = try monitor.run(arguments)
        expectNoDifference(result.status, .exited(status), "\(arguments)")
        expectNoDifference(
          result.lines.first?.contains(named),
          true,
          "\(arguments): \(result.lines)"
        )
      }
      expectNoDifference(monitor.directory.names, ["empty", "life"])
    }
  }

  @Test("Output that cannot be written is an error, and a closed pipe is not")
  func unwritableOutput() async throws {
    try await withLife { monitor in
      let script = """
        for command in explain timeline replay; do "$0" $command "$1" >/dev/full; echo $?; done 2>&1
        "$0" timeline "$1" | true; echo ${PIPESTATUS[0]}
        """
      let program = try builtProgramPath("lifecycle-monitor")
      let job = try monitor.session.launch(
        JobRequest(["bash", "-c", script, program, monitor.path("life")])
      )
      #expect(try job.waitUntilEnd() == .exited(0))
      let lines = try job.waitUntilOutputEnds()
      expectNoDifference(lines.filter { Int($0) != nil }.dropLast(), ["74", "74", "74"])
      #expect(["0", "141"].contains(lines.last))
      expectNoDifference(lines.count { $0.hasPrefix("lifecycle-monitor: cannot write") }, 3)
    }
  }

  @Test("replay takes the time of the recording, by the speed")
  func replay() async throws {
    try await withLife { monitor in
      let (result, span) = try measured {
        try monitor.run(["replay", monitor.path("life"), "--speed", "10"])
      }
      expectNoDifference(result.status, .exited(0))
      expectNoDifference(result.lines.first, "Run 1 of 1: feed (process 7)")
      expectNoDifference(result.lines.last?.contains("didReceiveMemoryWarning"), true)
      #expect(span.upperBound - span.lowerBound >= .milliseconds(200))
    }
  }

  @Test("The timeline is as wide as the terminal, colored there alone, and not with NO_COLOR")
  func timelineText() async throws {
    try await withLife { monitor in
      let plain = try monitor.run(["timeline", monitor.path("life")])
      expectNoDifference(plain.status, .exited(0))
      #expect(plain.lines.contains { $0.contains("didReceiveMemoryWarning") || $0.count > 40 })
      #expect(plain.lines.allSatisfy { $0.count <= 80 && !$0.contains("\u{1B}") })
      for (noColor, hasColor) in [("", true), ("1", false)] {
        let before = monitor.session.terminal.outputText.count
        let job = try monitor.launch(["timeline", monitor.path("life")]) { request in
          request.standardOutput = .terminal
          request.environment = ["TERM": "xterm", "NO_COLOR": noColor]
        }
        #expect(try job.waitUntilEnd() == .exited(0))
        try monitor.session.waitForTerminal("the legend") {
          $0.dropFirst(before).contains("# ten or more")
        }
        let shown = monitor.session.terminal.outputText.dropFirst(before)
        expectNoDifference(shown.contains("\u{1B}["), hasColor)
      }
    }
  }

  @Test("Pictures and pages are written whole; a link stays, and its target keeps its mode")
  func pictureAndPage() async throws {
    try await withLife { monitor in
      for name in ["page", "target"] { monitor.directory.write("old".utf8, to: name) }
      expectNoDifference(chmod(monitor.path("target"), 0o640), 0)
      let links = ["link": "target", "dangling": "new"]
      let manager = FileManager.default
      for (link, target) in links {
        try manager.createSymbolicLink(atPath: monitor.path(link), withDestinationPath: target)
      }
      for (option, output, start) in [
        ("--html", "page", "<!doctype html>"), ("--svg", "link", "<svg"),
        ("--svg", "dangling", "<svg"),
      ] {
        let result = try monitor.run(
          ["timeline", monitor.path("life"), option, monitor.path(output)]
        )
        expectNoDifference(result.status, .exited(0), "\(result.lines)")
        let written = monitor.path(links[output] ?? output)
        let text = try String(contentsOfFile: written, encoding: .utf8)
        #expect(text.lowercased().contains(start) && text.contains("feed"))
      }
      for (link, target) in links {
        #expect(try manager.destinationOfSymbolicLink(atPath: monitor.path(link)) == target)
      }
      var status = stat()
      #expect(stat(monitor.path("target"), &status) == 0 && status.st_mode & 0o777 == 0o640)
      expectNoDifference(
        monitor.directory.names,
        ["dangling", "life", "link", "new", "page", "target"]
      )
    }
  }

  @Test("timeline and replay report the first damaged lines and their number")
  func damagedLines() async throws {
    try await withMonitorSession { monitor in
      let text = String(decoding: life.jsonLines, as: UTF8.self)
      try (text + String(repeating: "{oops\n", count: 5)).write(
        toFile: monitor.path("life"),
        atomically: false,
        encoding: .utf8
      )
      for command in ["timeline", "replay"] {
        let result = try monitor.run([command, monitor.path("life")])
        expectNoDifference(result.status, .exited(0))
        expectNoDifference(result.lines.count { $0.hasPrefix("Line ") }, 3, "\(result.lines)")
        expectNoDifference(
          result.lines.count { $0.contains(": 5 problems in ") },
          1,
          "\(result.lines)"
        )
      }
    }
  }

  @Test("The files of a rotated recording are read in their order, and each run has a heading")
  func severalFiles() async throws {
    try await withLife { monitor in
      var later = life
      later.start.dropped = 1
      later.start.instant = life.end
      later.records[0].instant = instant(4)
      let other = FlightRecording(
        process: .init(name: "a\u{1B}[2J", id: 7),
        start: .init(at: instant(0))
      )
      monitor.directory.write(later.jsonLines + other.jsonLines, to: "later")
      let explained = try monitor.run(["explain", monitor.path("life"), monitor.path("later")])
      expectNoDifference(explained.status, .exited(0))
      let noEnd = """
        The run has no end: the process was killed, or still ran when the recording was written.
        """
      expectNoDifference(
        explained.lines,
        [
          "Run 1 of 2: feed (process 7)", "     2.0 s  Memory was low 2 times.",
          "     4.0 s  \(noEnd)", "Run 2 of 2: a\\u{1B}[2J (process 7)",
          "     0.0 s  \(noEnd)",
        ]
      )
    }
  }

  /// Runs the body with a session whose folder has the recording `life`.
  private func withLife(_ body: @Sendable (MonitorSession) throws -> Void) async throws {
    try await withMonitorSession { monitor in
      try life.write(to: monitor.path("life"))
      try body(monitor)
    }
  }

  private var life: FlightRecording {
    FlightRecording(
      process: .init(name: "feed", id: 7),
      start: .init(at: instant(0), phase: .active),
      records: [.memoryWarning(at: instant(2))]
    )
  }

  private func instant(_ seconds: Double) -> LifecycleInstant {
    LifecycleInstant(
      continuous: .boot + .seconds(seconds),
      timeAwake: .seconds(seconds),
      timeSince1970: .seconds(1_790_000_000 + seconds)
    )
  }
}

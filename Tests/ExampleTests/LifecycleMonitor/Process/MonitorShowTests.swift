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
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
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
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
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
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
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
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
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

  @Test("Pictures and pages are written whole, and replace what was there")
  func pictureAndPage() async throws {
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
      for (option, start) in [("--svg", "<svg"), ("--html", "<!doctype html>")] {
        let output = monitor.path("output")
        try "old".write(toFile: output, atomically: false, encoding: .utf8)
        #expect(
          try monitor.run(["timeline", monitor.path("life"), option, output]).status == .exited(0)
        )
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.lowercased().contains(start) && text.contains("feed"))
      }
      expectNoDifference(monitor.directory.names, ["life", "output"])
    }
  }

  @Test("A link stays, and its target is replaced with its mode")
  func pictureBehindLink() async throws {
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
      let manager = FileManager.default
      try "old".write(toFile: monitor.path("target"), atomically: false, encoding: .utf8)
      expectNoDifference(chmod(monitor.path("target"), 0o640), 0)
      for (link, target) in [("link", "target"), ("dangling", "new")] {
        try manager.createSymbolicLink(
          atPath: monitor.path(link),
          withDestinationPath: target
        )
        let result = try monitor.run(
          ["timeline", monitor.path("life"), "--svg", monitor.path(link)]
        )
        expectNoDifference(result.status, .exited(0), "\(result.lines)")
        #expect(try manager.destinationOfSymbolicLink(atPath: monitor.path(link)) == target)
        let text = try String(contentsOfFile: monitor.path(target), encoding: .utf8)
        #expect(text.contains("<svg"))
      }
      var status = stat()
      #expect(stat(monitor.path("target"), &status) == 0 && status.st_mode & 0o777 == 0o640)
      expectNoDifference(monitor.directory.names, ["dangling", "life", "link", "new", "target"])
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

  @Test("The files of a rotated recording are read in their order")
  func severalFiles() async throws {
    try await withMonitorSession { monitor in
      try write(life, to: monitor)
      var later = life
      later.start.dropped = 1
      later.start.instant = life.end
      later.records[0].instant = instant(4)
      try later.write(to: monitor.path("later"))
      let files = [monitor.path("life"), monitor.path("later")]
      let explained = try monitor.run(["explain"] + files)
      expectNoDifference(explained.status, .exited(0))
      expectNoDifference(
        explained.lines,
        [
          "Run 1 of 1: feed (process 7)", "     2.0 s  Memory was low 2 times.",
          """
               4.0 s  The run has no end: the process was killed, or still ran when the recording \
          was written.
          """,
        ]
      )
    }
  }

  private func write(_ recording: FlightRecording, to monitor: MonitorSession) throws {
    try recording.write(to: monitor.path("life"))
  }

  private var life: FlightRecording {
    let warning = LifecycleEvent(
      kind: .didReceiveMemoryWarning,
      previousPhase: .active,
      phase: .active,
      sequenceNumber: 1,
      instant: instant(2),
      origin: .source("memoryPressure")
    )
    return FlightRecording(
      process: .init(name: "feed", id: 7),
      start: .init(at: instant(0), phase: .active),
      records: [FlightRecord(.event(warning), at: instant(2))]
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

import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension TerminalProcessTests {
  @Suite(
    "A terminal session in tmux",
    .serialized,
    .enabled(if: ProgramCapability.isInPath("tmux"), "there is no tmux in PATH")
  )
  struct TmuxTests {
    @Test("Switching panes of tmux is inactive and active, and changes no key")
    func panes() async throws {
      try await withProbeSession { session in
        let tmux = try Tmux()
        defer { tmux.remove() }
        let probe = Probe(
          job: try session.launch(try tmux.attach(running: "lifecycle-probe", "terminal")),
          session: session
        )
        try probe.waitUntilReady()
        try tmux.run("send-keys", "-l", "a")
        expectNoDifference(try keys(of: probe, through: "a"), "a")

        try tmux.run("split-window", "exec sleep 1000")
        expectNoDifference(
          try probe.lines(through: .willResignActive).events.map(\.sequenceNumber),
          [4]
        )
        try tmux.run("send-keys", "-t", ":.0", "-l", "b[I")
        try tmux.run("send-keys", "-t", ":.0", "Up", "Z")
        let keys = try keys(of: probe, through: "Z")
        #expect(keys == "b[I\u{1B}[AZ" || keys == "b[I\u{1B}OAZ")
        for round in 0..<3 {
          try tmux.run("select-pane", "-t", ":.0")
          expectNoDifference(
            try probe.lines(through: .didBecomeActive).events.map(\.sequenceNumber),
            [5 + 2 * round]
          )
          try tmux.run("select-pane", "-t", ":.1")
          expectNoDifference(
            try probe.lines(through: .willResignActive).events.map(\.sequenceNumber),
            [6 + 2 * round]
          )
        }
      }
    }
  }
}

/// Reads lines until the input ends in the text, and returns all of it.
private func keys(of probe: Probe, through last: String) throws -> String {
  var keys = ""
  while !keys.hasSuffix(last) {
    let line = try probe.nextLine().summary
    if line.hasPrefix("read ") { keys += line.dropFirst("read ".count) }
  }
  return keys
}

/// A server of tmux with a socket of its own.
private struct Tmux {
  private struct Failure: Error {
    var command: [String]
    var output: String
  }

  private let folder: URL

  init() throws {
    // The path of a socket has at most 107 bytes.
    folder = URL(filePath: "/tmp/tmux-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = "set -g focus-events on\nset -g status off\nset -g default-shell /bin/sh\n"
    try Data(settings.utf8).write(to: folder.appending(path: "conf"))
  }

  /// A client that shows a new session, whose first pane runs the program. The output of the program
  /// is that of the job.
  func attach(running program: String, _ arguments: String...) throws -> JobRequest {
    let command = ([try builtProgramPath(program)] + arguments).joined(separator: " ")
    let script = """
      exec 3>&1
      \(tmux.joined(separator: " ")) new-session "exec \(command) >/proc/$$/fd/3" >&2
      """
    return with(JobRequest(["sh", "-c", script])) {
      $0.environment = ["TERM": "xterm-256color", "TMUX": "", "LC_ALL": "C.UTF-8"]
    }
  }

  func run(_ command: String...) throws {
    let result = try runProgram("/usr/bin/env", tmux + command)
    guard result.status == .exited(0) else { throw Failure(command: command, output: result.text) }
  }

  func remove() {
    try? run("kill-server")
    try? FileManager.default.removeItem(at: folder)
  }

  private var tmux: [String] {
    [
      "tmux", "-S", folder.appending(path: "socket").path, "-f",
      folder.appending(path: "conf").path,
    ]
  }
}

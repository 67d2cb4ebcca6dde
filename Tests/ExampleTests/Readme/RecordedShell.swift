import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// A bash on a terminal, into which the test types what a recording says.
///
/// In it, `swift run` starts the program that was built, in its own process, as the real one does
/// after it has built it. What is typed is typed when the screen shows what was recorded before it.
struct RecordedShell {
  /// What the test has in place of what the README names, such as the address of a feed.
  typealias Replacement = (recorded: String, used: String)

  static let isPossible = ProgramCapability.isInPath("bash")

  private static let prompt = "README-PROMPT$ "

  private let session: JobControlSession
  private let bash: Job
  private let replacements: [Replacement]

  /// - Parameter folder: An empty folder, for the command `swift`.
  init(_ session: JobControlSession, folder: URL, replacing replacements: [Replacement]) throws {
    self.session = session
    self.replacements = replacements
    let script = """
      #!/bin/sh
      [ "$1" = run ] || exit 1
      name=$2
      shift 2
      exec "$BUILT_PROGRAMS/$name" "$@"
      """
    let programs = URL(filePath: try builtProgramPath("quick-start")).deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // The shell writes the command: a child of another test would hold the file if this process had
    // opened it, and it could not be run.
    let start = #"""
      printf '%s\n' "$SCRIPT" >"$FOLDER/swift" && chmod +x "$FOLDER/swift" && cd "$0" &&
        exec bash --noprofile --norc --noediting -i
      """#
    bash = try session.launch(
      with(JobRequest(["/bin/sh", "-c", start, ExampleReadme.root.path])) {
        $0.standardOutput = .terminal
        $0.environment = [
          "BUILT_PROGRAMS": programs.path, "FOLDER": folder.path, "SCRIPT": script,
          "HISTFILE": "", "LC_ALL": "C",
          "PATH": "\(folder.path):\(path)", "PROMPT_COMMAND": "", "PS1": Self.prompt,
          "TERM": "dumb",
        ]
      }
    )
  }

  /// Types what is typed in the recording, and expects what it shows.
  ///
  /// - Parameter beforeTyping: Called before a command is typed.
  func play(
    _ recording: Recording,
    beforeTyping: (_ command: String) -> Void = { _ in }
  ) throws {
    var prompts = 0
    for (index, step) in recording.steps.enumerated() {
      switch step {
      case .output: break
      case .prompt: prompts += 1
      case .key(let key):
        try waitForScreen(recording, after: index, prompts: prompts)
        // A program that has shown nothing yet may not have begun.
        if key == PseudoTerminal.controlZ { try session.waitUntilCaughtInForeground(SIGTSTP) }
        try session.terminal.type(key)
      case .command(let command):
        try waitForScreen(recording, after: index, prompts: prompts)
        beforeTyping(command)
        try session.terminal.type(used(command) + "\n")
        // What the program must not show in the background, it shows in this time.
        if command == "bg" { session.idle(for: .milliseconds(1100)) }
        if command.hasPrefix("kill ") { try pressEnterUntilKilled(prompts: &prompts) }
      }
    }
    try waitForScreen(recording, after: recording.steps.count, prompts: prompts + 1)
    try session.terminal.type("exit\n")
    _ = try bash.waitUntilEnd()
  }

  /// Waits until the shell has reported the end of the job, which holds its files until then. The
  /// shell reports it before one of the next prompts. Bash 5.2 can miss the signal of a child that
  /// ends: one run had a zombie until bash received another one.
  private func pressEnterUntilKilled(prompts: inout Int) throws {
    while true {
      try session.waitForTerminal("a prompt") { [prompts] in
        $0.ranges(of: Self.prompt).count > prompts
      }
      if session.terminal.outputText.contains("]+  Killed ") { return }
      try session.signal(SIGCHLD, bash)
      try session.terminal.type("\n")
      prompts += 1
    }
  }

  private func waitForScreen(_ recording: Recording, after count: Int, prompts: Int) throws {
    let expected = recording.screen(after: count)
    let whole = recording.screen
    try session.waitForTerminal("what is recorded") { text in
      let (complete, last) = shown(text)
      // A key discards output that is not read yet, such as the end of the line. A bar has none.
      let isLineComplete = last.isEmpty || last.hasPrefix("[")
      return differs(complete, from: whole)
        || isLineComplete && ScreenText(lines: complete + [last]) == expected
          && text.ranges(of: Self.prompt).count >= prompts
    }
    // More may have come since.
    let (complete, last) = shown(session.terminal.outputText)
    guard differs(complete, from: whole) else { return }
    expectNoDifference(ScreenText(lines: complete + [last]).lines, expected.lines)
    throw Differs()
  }

  /// Returns whether lines to which nothing is added any more are not those of a recording.
  private func differs(_ complete: [String], from whole: ScreenText) -> Bool {
    var shown = ScreenText(lines: complete)
    shown.removeLastBar()
    return !whole.lines.starts(with: shown.lines)
  }

  struct Differs: Error {}

  /// The lines of the screen without prompts, as if what is replaced were not.
  private func shown(_ text: String) -> (complete: [String], last: String) {
    var text = text.replacing(Self.prompt, with: "")
    for (recorded, used) in replacements { text = text.replacing(used, with: recorded) }
    return rendered(text)
  }

  private func used(_ command: String) -> String {
    replacements.reduce(command) { $0.replacing($1.recorded, with: $1.used) }
  }
}

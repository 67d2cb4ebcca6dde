import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// A running `lifecycle-probe terminal`, with the terminal that it owns.
struct TerminalProbe {
  let probe: Probe
  let process: pid_t
  /// The settings of the terminal before the launch.
  let settings: TerminalSettings

  var session: JobControlSession { probe.session }
  var terminal: PseudoTerminal { session.terminal }

  /// Expects that the program has requested reports of the focus, and no reports, so many times.
  /// What a process writes reaches the other end of a terminal later.
  func expectRequests(
    on: Int,
    off: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try session.waitForTerminal("\(on) requests, and \(off) of no reports") { shown in
      count("h", in: shown) >= on && count("l", in: shown) >= off
    }
    #expect(count("h", in: terminal.outputText) == on, sourceLocation: sourceLocation)
    #expect(count("l", in: terminal.outputText) == off, sourceLocation: sourceLocation)
  }

  private func count(_ end: String, in shown: String) -> Int {
    shown.components(separatedBy: "\u{1B}[?1004\(end)").count - 1
  }

  func currentSettings() throws -> TerminalSettings { try TerminalSettings(terminal) }

  /// Waits until the process is in a state, as `/proc` shows it.
  func waitUntil(state: Character) throws {
    try wait { ProcessSnapshot(process)?.state == state }
  }

  /// Waits until the process has ended; a shell collects a job of the background later.
  func waitUntilEnded() throws {
    try wait { !ProcessSnapshot.isAlive(process) }
  }

  /// Waits until the session has the terminal, which no line of the probe shows.
  func waitUntilTaken() throws {
    try wait { try currentSettings().isRaw }
  }

  func wait(until condition: () throws -> Bool) throws {
    try session.wait(for: "another output than \(terminal.outputText)", until: condition)
  }

  /// The number of bytes that the thread that watches the terminal has read.
  func bytesRead() throws -> Int {
    let thread = try watcher().id
    let path = "/proc/\(process)/task/\(thread)/io"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("rchar:") })
    return try #require(Int(line.drop { !$0.isNumber }))
  }

  /// How often that thread has gone to sleep.
  func waits() throws -> Int { try watcher().waits }

  /// The thread that watches the terminal. It names itself, which may be later than the process is
  /// ready.
  private func watcher() throws -> ThreadStatus {
    var watcher: ThreadStatus?
    try session.wait(for: "the thread that watches: \(ThreadStatus.all(of: process))") {
      watcher = ThreadStatus.waiting(of: process)
      return watcher != nil
    }
    return try #require(watcher)
  }

  /// The number of bytes that wait in the terminal.
  func unreadBytes() throws -> CInt {
    let descriptor = open(terminal.slavePath, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    defer { close(descriptor) }
    var count: CInt = 0
    expectNoDifference(ioctl(descriptor, UInt(FIONREAD), &count), 0)
    return count
  }

  func type(_ text: String) throws { try terminal.type(text) }

  /// Types keys, and returns the lines up to the one that shows the last of them.
  func lines(after text: String) throws -> [String] {
    try type(text)
    let last = text.suffix(1)
    return try probe.lines { $0.summary.hasPrefix("read ") && $0.summary.hasSuffix(last) }.summaries
  }
}

extension JobControlSession {
  /// Launches the probe as a job of this session's shell, which resets the terminal when the job
  /// stops or ends.
  func launchTerminalProbe(
    _ options: String...,
    change: (inout JobRequest) -> Void = { _ in }
  ) throws -> TerminalProbe {
    let settings = try TerminalSettings(terminal)
    let job = try launchProbeCommand(["terminal"] + options, change: change)
    return try start(Probe(job: job, session: self), settings)
  }

  /// Launches the probe as a job of dash, which leaves the terminal as its jobs leave it.
  ///
  /// - Parameter command: Another command of the probe that has a session.
  func launchTerminalProbeInDash(
    _ options: String...,
    command: String = "terminal",
    background: Bool = false
  ) throws -> TerminalProbe {
    let dash = try launch(JobRequest(["dash", "-i"]))
    let settings = try TerminalSettings(terminal)
    let words = [try builtProgramPath("lifecycle-probe"), command] + options
    try terminal.type(words.joined(separator: " ") + (background ? " &\n" : "\n"))
    return try start(Probe(job: dash, session: self), settings)
  }

  /// Runs a program in dash that creates its session when it stops, ends, or has called `exit`.
  func launchLateSession(at moment: String) throws -> TerminalProbe {
    try launchTerminalProbeInDash("--moment", moment, command: "late-session")
  }

  private func start(_ probe: Probe, _ settings: TerminalSettings) throws -> TerminalProbe {
    try probe.waitUntilReady()
    let notes = probe.launchLines.summaries.filter { $0.hasPrefix("process ") }
    let process = try #require(notes.first.flatMap { pid_t($0.dropFirst("process ".count)) })
    return TerminalProbe(probe: probe, process: process, settings: settings)
  }
}

/// The settings of a terminal, as `stty -a < /dev/pts/N` reads them.
struct TerminalSettings: Equatable, CustomStringConvertible {
  private struct Failure: Error {
    var call: String
    var errno: CInt
  }

  private var settings: termios

  init(_ terminal: PseudoTerminal) throws {
    let descriptor = open(terminal.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(call: "open", errno: errno) }
    defer { close(descriptor) }
    settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      throw Failure(call: "tcgetattr", errno: errno)
    }
  }

  /// A Boolean value that indicates whether keys arrive one by one and without echo.
  var isRaw: Bool { settings.c_lflag & tcflag_t(ICANON | ECHO) == 0 }

  var description: String {
    let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    return flags.map { String($0, radix: 8) }.joined(separator: " ") + " \(characters)"
  }

  static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}

/// A process that owns its terminal, under a shell that does job control.
@Suite("Terminal session on the real system", .serialized, .startsProcesses)
enum TerminalProcessTests {}

let background = [
  "4 willResignActive synthesized", "has terminal: true", "5 didEnterBackground source",
]
let foreground = [
  "6 willEnterForeground synthesized", "has terminal: true", "7 didBecomeActive source",
]

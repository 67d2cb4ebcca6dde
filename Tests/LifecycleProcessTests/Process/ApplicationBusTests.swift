import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// The bus of the process, used for the first time by a process of its own.
@Suite("LifecycleBus.application", .serialized, .startsProcesses)
struct ApplicationBusTests {
  private func run(_ arguments: [String]) async throws -> (lines: [String], diagnostics: String) {
    try await withProbeSession { session in
      let job = try session.launchProbeCommand(["application"] + arguments)
      #expect(try job.waitUntilEnd() == .exited(0))
      return (try job.waitUntilOutputEnds(), session.terminal.outputText)
    }
  }

  @Test(
    "Used first on the main actor or in an observer, it knows the phase; elsewhere, it is connected",
    arguments: [
      ("main", ["main: active, source(processSignals) didBecomeActive", "is live: true"]),
      ("observer", ["didFinishLaunching: active, source(processSignals) didBecomeActive"]),
      (
        "elsewhere",
        [
          "elsewhere: unknown, source(processSignals) didBecomeActive",
          "main: unknown, source(processSignals) didBecomeActive",
        ]
      ),
    ]
  )
  func firstUse(command: String, expected: [String]) async throws {
    let lines = try await run([command]).lines
    expectNoDifference(lines, expected)
  }

  @Test("Another bus in its place leaves the platform alone")
  func anotherBusLeavesPlatformAlone() async throws {
    let (lines, _) = try await run(["injected"])
    expectNoDifference(
      lines,
      [
        "injected: background, manual didFinishLaunching",
        "untouched: true",
        "outside: active, source(processSignals) didBecomeActive",
        "untouched: false",
      ]
    )
  }

  @Test(
    "A source that cannot start is reported, and the bus delivers what is sent to it",
    arguments: [(0, "A descriptor of /dev/tty"), (1, "The pipe"), (5, "A descriptor of SIGTERM")]
  )
  func withoutDescriptors(left: Int, refused: String) async throws {
    let (lines, diagnostics) = try await run(["withoutDescriptors", "\(left)"])
    #expect(
      diagnostics.contains("The application bus can't be connected to processSignals: \(refused)"),
      "\(diagnostics)"
    )
    expectNoDifference(lines, ["main: unknown, ", "sent: background, manual didFinishLaunching"])
  }

  @Test(
    "With few threads left, a bus is connected, or the missing thread is the error; no call waits",
    .enabled(if: geteuid() == 0, "only root can become a user without other processes")
  )
  func fewThreads() async throws {
    try await withProbeSession { session in
      var results: [String] = []
      for left in 0...6 {
        let job = try session.launchProbeCommand(["thread-shortage", "\(left)"])
        #expect(try job.waitUntilEnd() == .exited(0), "\(left) threads")
        results += try job.waitUntilOutputEnds()
      }
      let refusals = results.prefix { $0.hasPrefix("The thread that handles the signals") }
      #expect(!refusals.isEmpty && results.count == 7, "\(results)")
      #expect(results.last == "connected")
      #expect(results.dropFirst(refusals.count).allSatisfy { $0 == "connected" }, "\(results)")
    }
  }

  @Test("A program that a test starts saves at Ctrl-C and SIGTERM", arguments: [SIGINT, SIGTERM])
  func startedProgramSaves(signal: CInt) async throws {
    try await withProbeSession { session in
      let job = try session.launchProbeCommand(
        ["application", "saving"],
        wrapper: ["env"] + HostedTests.variables + ["XCTestBundleInjectPath=/", "BAZEL_TEST=/"]
      )
      _ = try job.nextLine("ready") { $0 == "ready" }
      if signal == SIGINT {
        try session.terminal.type(PseudoTerminal.controlC)
      } else {
        try session.signal(signal, job)
      }
      #expect(try job.waitUntilEnd() == .signaled(signal))
      expectNoDifference(try job.waitUntilOutputEnds(), ["ready", "saved"])
      #expect(!session.terminal.outputText.contains("LifecycleBus"))
    }
  }
}

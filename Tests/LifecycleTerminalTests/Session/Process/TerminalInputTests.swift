import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension TerminalProcessTests {
  @Suite("Input and focus", .serialized)
  struct InputTests {
    @Test("Keys arrive one by one, a lone Escape too, and reports of the focus become events")
    func keysAndFocus() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe()
        #expect(try probe.currentSettings().isRaw)
        try session.waitForTerminal(toShow: "\u{1B}[?1004h")
        expectNoDifference(try probe.lines(after: "a"), ["read a"])
        try probe.type("\u{1B}[O")
        expectNoDifference(
          try probe.probe.lines(through: .willResignActive).summaries,
          ["4 willResignActive source"]
        )
        try probe.type("\u{1B}[I")
        expectNoDifference(
          try probe.probe.lines(through: .didBecomeActive).summaries,
          ["5 didBecomeActive source"]
        )
        expectNoDifference(try probe.lines(after: "\u{1B}"), ["read \u{1B}"])
        // A task that is cancelled while it waits for keys goes on, and another one has the next.
        kill(probe.process, SIGUSR2)
        expectNoDifference(try probe.probe.nextLine().summary, "input ended")
        expectNoDifference(try probe.lines(after: "b"), ["read b"])
      }
    }

    @Test("Keys around the reports pass untouched and in order, with standard input redirected")
    func keysAroundReports() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe { $0.standardInput = .null }
        let typed = "\u{1B}OA\u{1B}[O\u{1B}[1;5C\u{1B}[Iä\r\u{1B}[200~\u{1B}[O\u{1B}[201~q"
        let lines = try probe.lines(after: typed)
        let keys = lines.filter { $0.hasPrefix("read ") }.map { $0.dropFirst("read ".count) }
        expectNoDifference(keys.joined(), "\u{1B}OA\u{1B}[1;5Cä\r\u{1B}[200~\u{1B}[O\u{1B}[201~q")
      }
    }

    @Test("Reports of the focus are reports again a second after pasted text that has no end")
    func pasteWithoutEnd() async throws {
      try await withProbeSession { session in
        try withEnoughTime(1_100) { time in
          let probe = try session.launchTerminalProbe()
          _ = try probe.lines(after: "\u{1B}[200~a")
          session.idle(for: .milliseconds(time))
          try probe.type("\u{1B}[Ob")
          let lines = try probe.probe.lines { $0.summary.hasSuffix("b") }.summaries
          try requireInTime(lines.last, "read b")
          if !lines.contains(where: { $0.contains("willResignActive") }) {
            _ = try probe.probe.lines(through: .willResignActive)
          }
        }
      }
    }

    @Test("A dumb terminal is not asked to report its focus")
    func dumbTerminal() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe { $0.environment["TERM"] = "dumb" }
        #expect(try probe.currentSettings().isRaw)
        expectNoDifference(try probe.lines(after: "a"), ["read a"])
        try probe.type("x")
        #expect(try probe.probe.job.waitUntilEnd() == .exited(3))
        #expect(try probe.currentSettings() == probe.settings)
        try probe.expectRequests(on: 0, off: 0)
      }
    }

    @Test("Without signal keys, Ctrl-Z and Ctrl-C are bytes; one of them alone can be")
    func signalKeys() async throws {
      try await withProbeSession { session in
        let none = try session.launchTerminalProbe("--signal-keys", "none")
        expectNoDifference(
          try none.lines(after: "\u{1A}\u{3}\u{1C}b").joined(),
          "read \u{1A}\u{3}\u{1C}b"
        )
        try none.type("x")
        #expect(try none.probe.job.waitUntilEnd() == .exited(3))
        let suspend = try session.launchTerminalProbe("--signal-keys", "suspend")
        expectNoDifference(try suspend.lines(after: "\u{3}"), ["read \u{3}"])
        expectNoDifference(try suspend.probe.stop().summaries, background)
      }
    }

    @Test("An observer of a lost focus that does not return does not hold up the keys")
    func hangingObserver() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe("--hangs")
        try probe.type("\u{1B}[O")
        _ = try probe.probe.lines(through: .willResignActive)
        expectNoDifference(try probe.lines(after: "a"), ["read a"])
      }
    }

    @Test("An idle session does not wake the thread that it waits on")
    func idle() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe()
        _ = try probe.lines(after: "a")
        try session.waitUntilThreadWaits(of: probe.process)
        // Before it waits for the system, it may wait for a lock or for memory.
        try session.wait(for: "two seconds without being woken") {
          let before = try probe.waits()
          session.idle(for: .seconds(2))
          return try probe.waits() == before
        }
      }
    }
  }
}

import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A child by fork that executes no other program", .serialized)
  struct ForkTests {
    @Test(
      """
      It has the dispositions and the mask from before the connection, may disconnect, and can't \
      connect; the process goes on
      """,
      arguments: [[], ["--own-handlers"]]
    )
    func dispositions(options: [String]) async throws {
      try await withProbe(["--action", "fork"] + options) { session, probe in
        try session.signal(SIGUSR2, probe.job)
        let notes = [try probe.nextLine().summary, try probe.nextLine().summary]
        let started = try #require(notes.first { $0 != "child waits" })
        let child = try #require(pid_t(started.drop { !$0.isNumber }), "\(notes)")
        defer { kill(child, SIGKILL) }
        try #require(notes.contains("child waits"), "\(notes)")
        let pipes = try Self.pipes(of: probe.job.processID)
        #expect(!pipes.isEmpty)
        #expect(try Self.pipes(of: child).isDisjoint(with: pipes), "it shares none of ours")

        kill(child, options.isEmpty ? SIGTERM : SIGKILL)
        let end = try probe.nextLine().summary
        expectNoDifference(end, "child ended \(options.isEmpty ? SIGTERM : SIGKILL)")
        expectNoDifference(try probe.ping().summaries, [])
        expectNoDifference(try probe.end(by: SIGTERM).summaries, termination)
      }
    }

    @Test(
      """
      What it does with a journal, a recording and a terminal session of its parent changes and \
      unlocks none
      """
    )
    func writers() async throws {
      try await withProbeSession { session in
        let folder = TemporaryDirectory()
        let job = try session.launchProbeCommand(["forked-writers", folder.path])
        expectNoDifference(
          Array(try job.waitUntilOutputEnds()),
          [
            "child ended 0", "journal: same, locked", "recording: same, locked", "terminal: same",
          ]
        )
      }
    }

    /// The pipes that a process has open, apart from its standard streams.
    private static func pipes(of process: pid_t) throws -> Set<String> {
      let folder = "/proc/\(process)/fd"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      let links = names.filter { Int($0) ?? 0 > 2 }.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      return Set(links.filter { $0.hasPrefix("pipe:") })
    }
  }
}

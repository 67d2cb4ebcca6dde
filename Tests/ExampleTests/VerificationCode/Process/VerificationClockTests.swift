import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension VerificationCodeTests {
  @Suite("Clocks", .serialized)
  struct ClockTests {
    @Test(
      "Two hours forward or back on the wall clock, between two runs: it goes on as if nothing was",
      .enabled(if: TimeCapability.canFakeTime, "faketime is not installed, or does not work"),
      .disabled(if: isThreadSanitized, "libfaketime hangs under the thread sanitizer"),
      arguments: ["+7200", "-7200"]
    )
    func wallClock(_ shift: String) async throws {
      try await withCodeSession { code in
        let file = code.directory.url.appending(path: "shift")
        try Data("\(shift)\n".utf8).write(to: file)
        let (wrapper, environment) = TimeCapability.fakingTime(of: file)
        // Whole seconds, as `date` prints them.
        let before = Date().timeIntervalSince1970.rounded(.down)
        let clock = try code.session.launch(
          with(JobRequest(wrapper + ["date", "+%s"])) { $0.environment = environment }
        )
        let seen = try #require(Double(try clock.nextLine() ?? ""))
        let after = Date().timeIntervalSince1970
        let set = try #require(Double(shift))
        #expect(before + set <= seen && seen <= after + set, "the clock was not set")

        let (first, begun) = try measured {
          let job = try code.launch()
          _ = try job.linesThroughTick()
          return job
        }
        var lastSeen = begun
        var job = first
        // The clock is set, and set back.
        for isSet in [true, false] {
          try kill(job)
          // It may have had a heartbeat before that.
          lastSeen = lastSeen.lowerBound...ContinuousClock.now
          let start = ContinuousClock.now
          job = try code.launch(wrapper: isSet ? wrapper : []) {
            if isSet { $0.environment = environment }
          }
          let line = try job.nextLine("the launch line") { _ in true }
          let launched = start...ContinuousClock.now
          try expectLaunch(line, "killedInForeground", lastSeen: lastSeen, launched: launched)
          let tick = try job.linesThroughTick().last
          lastSeen = start...ContinuousClock.now
          try expectRemaining(tick, of: 300, begun: begun, ticked: lastSeen)
        }
      }
    }

    /// Kills the program, also where `faketime` waits for it.
    private func kill(_ job: Job) throws {
      let path = "/proc/\(job.processID)/task/\(job.processID)/children"
      let children = try String(contentsOfFile: path, encoding: .utf8)
      let process = pid_t(children.prefix { $0 != " " }) ?? job.processID
      expectNoDifference(Foundation.kill(process, SIGKILL), 0)
      #expect(try job.waitUntilEnd().isEnd)
    }

    @Test(
      "After a restart of the machine it says so, and the wall clock's ticks are not verified",
      .enabled(if: canFakeBoot, "no other identity can be given to the boot")
    )
    func otherBoot() async throws {
      try await withCodeSession { code in
        let (first, begun) = try measured {
          let job = try code.launch()
          _ = try job.linesThroughTick()
          return job
        }
        try code.kill(first)
        // It may have had a heartbeat before that.
        let lastSeen = begun.lowerBound...ContinuousClock.now
        let boot = code.directory.url.appending(path: "boot")
        try Data("11111111-2222-3333-4444-555555555555\n".utf8).write(to: boot)
        let start = ContinuousClock.now
        let second = try code.launch(wrapper: Self.wrapper(bootID: boot.path))
        let line = try second.nextLine("the launch line") { _ in true }
        let launched = start...ContinuousClock.now
        try expectLaunch(line, "machineRestarted", lastSeen: lastSeen, launched: launched)
        let lines = try second.linesThroughTick()
        expectNoDifference(Array(lines.dropLast()), launch)
        let tick = try #require(lines.last)
        #expect(tick.hasSuffix(#","verified":false}"#))
        let ticked = start...ContinuousClock.now
        try expectRemaining(tick, of: 300, begun: begun, ticked: ticked)
      }
    }

    /// In a namespace of its own, so that nobody else sees that boot.
    static func wrapper(bootID path: String) -> [String] {
      let script = "mount --bind '\(path)' /proc/sys/kernel/random/boot_id && exec \"$@\""
      return ["unshare"] + (getuid() == 0 ? [] : ["-r"]) + ["--mount", "sh", "-c", script, "sh"]
    }

    static let canFakeBoot: Bool = {
      let result = try? runProgram("/usr/bin/env", wrapper(bootID: "/proc/version") + ["true"])
      return result?.status == .exited(0)
    }()
  }
}

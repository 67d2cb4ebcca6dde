import CustomDump
import Foundation
import JobControl
import LifecycleCore
import LifecycleSystem
import TestSupport
import Testing

extension SystemProcessTests {
  @Suite("Memory pressure", .serialized)
  struct MemoryProcessTests {
    private static let measuresPressure = access("/proc/pressure/memory", R_OK | W_OK) == 0

    /// The service manager of the tests may have made a choice for them.
    private static let noChoice = ["MEMORY_PRESSURE_WATCH": ""]

    @Test(
      "The file of MEMORY_PRESSURE_WATCH is watched, also after a stop, and warns once in 10 s"
    )
    func pipe() async throws {
      try await withProbeSession { session in
        try untilInTime {
          try session.withPressurePipe { probe, pipe in
            defer { end(probe.job) }
            // A process that was stopped unseen watches on.
            _ = try probe.stopUnseen(for: .milliseconds(50))
            _ = try probe.lines(through: .processWasPaused)
            let before = try #require(ProcessSnapshot(probe.job.processID)).processorTime
            let start = ContinuousClock.now
            try pipe.write("x")
            let events = try probe.lines(through: .didReceiveMemoryWarning).events
            expectNoDifference(events.map(\.memoryPressure), [.medium])
            try pipe.write("x")
            try pipe.write("x")
            let others = try probe.ping()
            let elapsed = ContinuousClock.now - start
            if !others.isEmpty, elapsed >= .seconds(10) { throw TooLate(elapsed) }
            #expect(others.isEmpty)
            // The writer has left, which is no end that would be read again and again.
            session.idle(for: .milliseconds(300))
            let used = try #require(ProcessSnapshot(probe.job.processID)).processorTime - before
            #expect(used < .milliseconds(200))
          }
        }
      }
    }

    /// Runs a program that finds no file that reports pressure.
    private static let withoutPressure = [
      "unshare", "--mount", "sh", "-c",
      """
      mount -t tmpfs none /proc/pressure && \
      for folder in /sys/fs/cgroup/unified /sys/fs/cgroup; do \
      test -e $folder/cgroup.controllers && mount -t tmpfs none $folder; \
      done; exec "$@"
      """, "sh",
    ]

    private static let canHidePressure: Bool = {
      let lacksFile = ["test", "!", "-e", "/proc/pressure/memory"]
      let result = try? runProgram("/usr/bin/env", withoutPressure + lacksFile)
      return result?.status == .exited(0)
    }()

    @Test(
      "Without a file that reports pressure, the source is unavailable, and connects",
      .enabled(if: measuresPressure && canHidePressure, "/proc/pressure can't be hidden")
    )
    func nothingToWatch() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          wrapper: Self.withoutPressure,
          environment: Self.noChoice
        )
        let text = try #require(probe.availability["memoryPressure"])
        #expect(text.hasPrefix("unavailable, because "), "\(text)")
        #expect(text.contains("/proc/pressure/memory"))
        #expect(try probe.ping().isEmpty)
      }
    }

    @Test(
      "A user without privileges watches the system; a choice that is refused gives way to it",
      .enabled(
        if: measuresPressure && ProgramCapability.canRunUnprivileged("lifecycle-probe"),
        "no program can be run as a user without rights, or the kernel does not measure pressure"
      )
    )
    func nobody() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          wrapper: ProgramCapability.unprivileged,
          environment: [
            // Another file than that of the system, which takes its place.
            "MEMORY_PRESSURE_WATCH": "/proc/pressure/cpu",
            // A window of 1 s, which needs a privilege.
            "MEMORY_PRESSURE_WRITE": "c29tZSAxNTAwMDAgMTAwMDAwMAA=",
          ]
        )
        expectNoDifference(
          probe.availability["memoryPressure"],
          "available, by /proc/pressure/memory"
        )
      }
    }

    @Test(
      "When the control group that is watched is removed, the next choice takes its place",
      .enabled(
        if: TestControlGroup.root != nil && measuresPressure,
        "a control group of version 2 can't be created, or pressure is not measured"
      )
    )
    func removedGroup() async throws {
      try await withProbeSession { session in
        let root = try #require(TestControlGroup.root)
        let group = try TestControlGroup(root)
        let path = "\(group.path)/memory.pressure"
        let probe = try session.launchSystemProbe(environment: Self.noChoice, group: group)
        expectNoDifference(probe.availability["memoryPressure"], "available, by the control group")
        func fileCount(_ isFile: (String) -> Bool) -> Int { probe.openFiles.count(where: isFile) }
        expectNoDifference(fileCount { $0.hasPrefix(path) }, 3)
        try Data("\(probe.job.processID)".utf8).write(to: URL(filePath: "\(root)/cgroup.procs"))
        group.remove()
        func isNext(_ file: String) -> Bool {
          !file.hasPrefix(path)
            && (file.hasSuffix("/memory.pressure") || file == "/proc/pressure/memory")
        }
        // One for each level.
        try session.wait(for: "three files of the next group: \(probe.openFiles)") {
          fileCount { $0.hasPrefix(path) } == 0 && fileCount(isNext) == 3
        }
      }
    }

    @Test(
      "A control group at its limit of memory is a warning to its processes, at a limited rate",
      .enabled(
        if: TestControlGroup.memoryRoot != nil && TestControlGroup.root != nil && measuresPressure,
        "a control group with a limit of memory can't be created, or pressure is not measured"
      ),
      .runsAlone
    )
    func limit() async throws {
      try await withProbeSession { session in
        let limited = try TestControlGroup(try #require(TestControlGroup.memoryRoot))
        defer { limited.remove() }
        try limited.write("\(32 << 20)", to: "memory.limit_in_bytes")
        let measured = try TestControlGroup(try #require(TestControlGroup.root))
        defer { measured.remove() }
        let probe = try session.launchSystemProbe(environment: Self.noChoice, group: measured)
        defer { end(probe.job) }
        expectNoDifference(probe.availability["memoryPressure"], "available, by the control group")
        // Not a folder in memory, which would count as the writer's.
        let file = "/var/tmp/\(UUID().uuidString)"
        let program = try builtProgramPath("lifecycle-probe")
        var request = JobRequest([
          "sh", "-c",
          "echo $$ >\(limited.path)/cgroup.procs && echo $$ >\(measured.path)/cgroup.procs && exec \"$@\"",
          "sh", program, "thrash", file, "--size", "128",
        ])
        request.placement = .newSession
        let start = ContinuousClock.now
        let thrash = try session.launch(request)
        defer { end(thrash) }
        var warnings: [LifecycleEvent] = []
        while warnings.isEmpty {
          session.idle(for: .milliseconds(5))
          warnings = try probe.availableLines().events
          try #require(!thrash.hasEnded, "\(thrash.statuses)")
          try #require(ContinuousClock.now - start < session.timeout)
        }
        session.idle(for: .seconds(3))
        warnings += try probe.ping().events
        let elapsed = ContinuousClock.now - start
        expectNoDifference(Set(warnings.map(\.kind)), [.didReceiveMemoryWarning])
        #expect(warnings.allSatisfy { $0.memoryPressure != nil })
        // A rise warns at once, and there are three levels; otherwise one warning in 10 s.
        #expect(warnings.count <= 3 + Int(elapsed / .seconds(10)))
      }
    }

    /// Ends a job, so that its group can be removed.
    private func end(_ job: Job) {
      kill(job.processID, SIGKILL)
      _ = try? job.waitUntilEnd()
    }
  }
}

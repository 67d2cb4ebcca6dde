import Foundation
import JobControl
import LifecycleSystem
import ReactiveLifecycle
import TestSupport
import Testing

extension SystemProcessTests {
  @Suite("Memory pressure", .serialized)
  struct MemoryProcessTests {
    private static let measuresPressure = access("/proc/pressure/memory", R_OK | W_OK) == 0

    @Test("What the service manager names is watched; each message within 10 s is one warning")
    func pipe() async throws {
      try await withProbeSession { session in
        let pipe = try TestPipe()
        defer { pipe.remove() }
        let probe = try session.launchSystemProbe(
          environment: ["MEMORY_PRESSURE_WATCH": pipe.path]
        )
        try pipe.write("x")
        let events = try probe.lines(through: .didReceiveMemoryWarning).events
        #expect(events.map(\.memoryPressure) == [.medium])
        try pipe.write("x")
        try pipe.write("x")
        #expect(try probe.ping().isEmpty)
      }
    }

    @Test("/dev/null in MEMORY_PRESSURE_WATCH switches the source off")
    func disabled() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          environment: ["MEMORY_PRESSURE_WATCH": "/dev/null"]
        )
        #expect(
          probe.availability["memoryPressure"]
            == "unavailable, because MEMORY_PRESSURE_WATCH is /dev/null"
        )
        #expect(try probe.ping().isEmpty)
      }
    }

    @Test(
      "A user without privileges watches the system; a choice that is refused gives way to it",
      .enabled(
        if: getuid() == 0 && measuresPressure,
        "this user can't become another, or the kernel does not measure pressure"
      )
    )
    func nobody() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          wrapper: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
          environment: [
            "MEMORY_PRESSURE_WATCH": "/proc/pressure/memory",
            // A window of 1 s, which needs a privilege.
            "MEMORY_PRESSURE_WRITE": "c29tZSAxNTAwMDAgMTAwMDAwMAA=",
          ]
        )
        #expect(probe.availability["memoryPressure"] == "available, by /proc/pressure/memory")
      }
    }

    @Test("A place that does not exist gives way to the next one")
    func missing() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          environment: ["MEMORY_PRESSURE_WATCH": "/nonexistent/memory.pressure"]
        )
        let text = try #require(probe.availability["memoryPressure"])
        #expect(!text.contains("available, by /nonexistent"))
        _ = try probe.ping()
      }
    }

    @Test("A pipe whose writer sends and leaves is no end")
    func writerLeaves() async throws {
      try await withProbeSession { session in
        let pipe = try TestPipe()
        defer { pipe.remove() }
        let probe = try session.launchSystemProbe(
          environment: ["MEMORY_PRESSURE_WATCH": pipe.path]
        )
        let before = try #require(ProcessSnapshot(probe.job.processID)).processorTime
        try pipe.write("x")
        _ = try probe.lines(through: .didReceiveMemoryWarning)
        session.idle(for: .milliseconds(300))
        let used = try #require(ProcessSnapshot(probe.job.processID)).processorTime - before
        #expect(used < .milliseconds(200))
      }
    }

    @Test(
      "When the control group that is watched is removed, the next choice takes its place",
      .enabled(
        if: TestControlGroup.root != nil && measuresPressure,
        "a control group of version 2 can't be created, or pressure is not measured"
      ),
      arguments: [true, false]
    )
    func removedGroup(isNamed: Bool) async throws {
      try await withProbeSession { session in
        let root = try #require(TestControlGroup.root)
        let group = try TestControlGroup(root)
        let path = "\(group.path)/memory.pressure"
        let probe = try session.launchSystemProbe(
          environment: isNamed
            ? [
              "MEMORY_PRESSURE_WATCH": path,
              "MEMORY_PRESSURE_WRITE": "c29tZSAxNTAwMDAgMjAwMDAwMAA=",
            ] : [:],
          group: isNamed ? nil : group
        )
        let place = isNamed ? path : "the control group"
        #expect(probe.availability["memoryPressure"] == "available, by \(place)")
        func fileCount(_ isFile: (String) -> Bool) -> Int { probe.openFiles.count(where: isFile) }
        #expect(fileCount { $0.hasPrefix(path) } == (isNamed ? 1 : 3))
        try Data("\(probe.job.processID)".utf8).write(to: URL(filePath: "\(root)/cgroup.procs"))
        group.remove()
        let deadline = ContinuousClock.now + .seconds(300)
        while fileCount({ $0.hasPrefix(path) }) > 0, ContinuousClock.now < deadline {
          session.idle(for: .milliseconds(5))
        }
        // One for each level.
        let next = fileCount { $0.hasSuffix("/memory.pressure") || $0 == "/proc/pressure/memory" }
        #expect(next == 3)
      }
    }

    @Test(
      "A control group at its limit of memory is a warning of the system, at a limited rate",
      .enabled(
        if: TestControlGroup.memoryRoot != nil && measuresPressure,
        "a control group with a limit of memory can't be created, or pressure is not measured"
      )
    )
    func limit() async throws {
      try await withProbeSession { session in
        let group = try TestControlGroup(try #require(TestControlGroup.memoryRoot))
        defer { group.remove() }
        try group.write("\(64 << 20)", to: "memory.limit_in_bytes")
        let probe = try session.launchSystemProbe(environment: [:])
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let program = try builtProgramPath("lifecycle-probe")
        var request = JobRequest([
          "sh", "-c", "echo $$ > \(group.path)/cgroup.procs; exec \"$@\"", "sh", program, "thrash",
          file,
        ])
        request.placement = .newSession
        let thrash = try session.launch(request)
        defer {
          try? session.signal(SIGKILL, thrash)
          _ = try? thrash.nextStatus()
        }
        let first = try #require(try probe.lines(through: .didReceiveMemoryWarning).events.last)
        #expect(first.memoryPressure != nil)
        session.idle(for: .seconds(5))
        // A rise warns at once; there are three levels.
        #expect(try probe.ping().events.count <= 2)
      }
    }
  }
}

/// A named pipe.
struct TestPipe {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    guard mkfifo(path, 0o666) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  func write(_ text: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  func remove() { unlink(path) }
}

import CustomDump
import Foundation
import JobControl
import LifecycleCore
import LifecycleSystem
import TestSupport
import Testing

/// What the sources of the system report to a real process.
@Suite("The sources of the system in a real process", .serialized, .startsProcesses)
enum SystemProcessTests {}

extension JobControlSession {
  /// Launches a probe with the sources of the system, in a control group if one is given. By
  /// default without memory pressure, which other processes may cause at any time.
  func launchSystemProbe(
    _ options: [String] = [],
    wrapper: [String] = [],
    environment: [String: String] = ["MEMORY_PRESSURE_WATCH": "/dev/null"],
    group: TestControlGroup? = nil
  ) throws -> Probe {
    let join = group.map { ["sh", "-c", "echo $$ > \($0.path)/cgroup.procs; exec \"$@\"", "sh"] }
    return try launchProbe(
      ["--bus", "nonisolated", "--system"] + options,
      wrapper: (join ?? []) + wrapper
    ) { request in
      request.environment.merge(environment) { $1 }
    }
  }
}

extension Probe {
  /// What the sources of the system can report, by their names.
  var availability: [String: String] {
    for line in launchLines {
      guard case .system(let text) = line.content else { continue }
      let pairs = text.split(separator: "\n").map { entry in
        let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? String(parts[1].dropFirst()) : "")
      }
      return Dictionary(pairs) { first, _ in first }
    }
    return [:]
  }

  /// The paths of the files that the process has open.
  var openFiles: [String] {
    let folder = "/proc/\(job.processID)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  /// Stops the process by SIGSTOP, waits, and continues it.
  ///
  /// - Returns: The instant at which it was continued, or earlier.
  @discardableResult
  func stopUnseen(for time: Duration) throws -> ContinuousClock.Instant {
    _ = try ping()
    // Also the sensor of pauses: only a wait that has begun can be interrupted.
    try waitUntilAllThreadsWait()
    try session.signal(SIGSTOP, job)
    #expect(try job.nextStatus().status == .stopped(SIGSTOP))
    session.idle(for: time)
    let end = ContinuousClock.now
    try session.foreground(job)
    #expect(try job.nextStatus().status == .continued)
    return end
  }
}

/// A control group of version 2 below the topmost one, or of one kind of version 1.
struct TestControlGroup {
  let path: String

  /// The folder of all groups of version 2; nil if they can't be created here.
  static let root = writable(
    ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].first {
      FileManager.default.fileExists(atPath: "\($0)/cgroup.controllers")
    }
  )

  /// The folder of the groups that limit memory in version 1.
  static let memoryRoot = writable(
    ["/sys/fs/cgroup/memory"].first {
      FileManager.default.fileExists(atPath: "\($0)/memory.limit_in_bytes")
    }
  )

  /// The folder of the groups that freeze processes in version 1.
  static let freezerRoot = writable(
    ["/sys/fs/cgroup/freezer"].first { FileManager.default.fileExists(atPath: "\($0)/tasks") }
  )

  /// The topmost group of version 2; nil if groups can't be created here, or if it is the topmost
  /// one of a namespace alone, which can be frozen.
  static let topmost = root.flatMap { root in
    FileManager.default.fileExists(atPath: "\(root)/cgroup.events") ? nil : Self(path: root)
  }

  private init(path: String) {
    self.path = path
  }

  init(_ root: String) throws {
    path = "\(root)/lifecycle-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(file)"))
  }

  /// Watches the pressure on its memory for a moment. The end of that wakes all others who do.
  func addAndRemovePressureTrigger() throws {
    let file = open("\(path)/memory.pressure", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(file) }
    let trigger = Array("some 150000 2000000".utf8) + [0]
    guard Foundation.write(file, trigger, trigger.count) == trigger.count else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  /// Freezes its processes, and waits until they are frozen.
  func freeze(_ session: JobControlSession) throws {
    try write("1", to: "cgroup.freeze")
    func events() throws -> String {
      try String(contentsOfFile: "\(path)/cgroup.events", encoding: .utf8)
    }
    try session.wait(for: "a frozen group") { try events().contains("frozen 1\n") }
  }

  /// Freezes the processes of a group of version 1, lets them run again after a time, and waits
  /// until they do.
  func freezeVersion1(_ session: JobControlSession, for time: Duration) throws {
    func change(to state: String) throws {
      try write(state, to: "freezer.state")
      try session.wait(for: state) {
        let text = try String(contentsOfFile: "\(path)/freezer.state", encoding: .utf8)
        return text == "\(state)\n"
      }
    }
    defer { try? write("THAWED", to: "freezer.state") }
    try change(to: "FROZEN")
    session.idle(for: time)
    try change(to: "THAWED")
  }

  /// Removes the group, which must have no process; waits for those that are about to end.
  func remove(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      eventually { rmdir(path) == 0 || errno != EBUSY },
      "The group \(path) still has a process.",
      sourceLocation: sourceLocation
    )
  }

  /// Lets its processes run, kills them, and removes the group.
  func thawAndRemove(sourceLocation: SourceLocation = #_sourceLocation) {
    try? write("0", to: "cgroup.freeze")
    for process in processes { kill(process, SIGKILL) }
    remove(sourceLocation: sourceLocation)
  }

  private var processes: [pid_t] {
    let text = try? String(contentsOfFile: "\(path)/cgroup.procs", encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }.filter { $0 > 0 }
  }

  private static func writable(_ root: String?) -> String? {
    guard let root, let group = try? TestControlGroup(root) else { return nil }
    group.remove()
    return root
  }
}

/// A named pipe of a test, in the place of the service manager's.
struct PressurePipe {
  let path: String

  fileprivate init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o666) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  func write(_ text: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

extension JobControlSession {
  /// Calls the body with a probe with the sources of the system, which watches a pipe for memory
  /// pressure, and with that pipe.
  func withPressurePipe(
    _ options: [String] = [],
    _ body: (Probe, PressurePipe) throws -> Void
  ) throws {
    let directory = TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let pipe = try PressurePipe(directory.path("pipe"))
    let probe = try launchSystemProbe(options, environment: ["MEMORY_PRESSURE_WATCH": pipe.path])
    expectNoDifference(probe.availability["memoryPressure"], "available, by \(pipe.path)")
    try body(probe, pipe)
  }
}

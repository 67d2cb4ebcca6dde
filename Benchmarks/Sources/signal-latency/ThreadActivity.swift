import Glibc

/// How often the threads of a process have been switched, and how long they ran, as proc(5) tells.
struct ThreadActivity: Equatable {
  /// One thread.
  struct Thread: Equatable {
    var voluntarySwitches = 0
    var involuntarySwitches = 0
    /// Time on a processor, in nanoseconds.
    var processorTime = 0

    /// How often it was switched.
    var switches: Int { voluntarySwitches + involuntarySwitches }
  }

  /// By thread identifier.
  private(set) var threads: [Int: Thread] = [:]

  /// Reads all threads of a process; those that end meanwhile are left out.
  init(of process: pid_t) throws(LatencyError) {
    let path = "/proc/\(process)/task"
    guard let directory = opendir(path) else { throw .system("opendir \(path)", errno) }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let identifier = Int(name) else { continue }
      threads[identifier] = Self.thread("\(path)/\(name)")
    }
  }

  /// How often any thread was switched since an earlier reading. A thread that is new or gone has
  /// run at least once for it.
  func switches(since earlier: Self) -> Int {
    Set(threads.keys).union(earlier.threads.keys).reduce(0) { sum, identifier in
      guard let now = threads[identifier], let before = earlier.threads[identifier] else {
        return sum + 1
      }
      return sum + now.switches - before.switches
    }
  }

  /// How long the threads ran since an earlier reading, in nanoseconds.
  func processorTime(since earlier: Self) -> Int {
    threads.reduce(0) { sum, entry in
      sum + entry.value.processorTime - (earlier.threads[entry.key]?.processorTime ?? 0)
    }
  }

  private static func thread(_ path: String) -> Thread? {
    guard let status = contents(path + "/status"), let times = contents(path + "/schedstat") else {
      return nil
    }
    var thread = Thread()
    for line in status.split(separator: "\n") {
      let parts = line.split { $0 == ":" || $0 == "\t" }
      guard parts.count == 2, let value = Int(parts[1]) else { continue }
      if parts[0] == "voluntary_ctxt_switches" { thread.voluntarySwitches = value }
      if parts[0] == "nonvoluntary_ctxt_switches" { thread.involuntarySwitches = value }
    }
    thread.processorTime = times.split(separator: " ").first.flatMap { Int($0) } ?? 0
    return thread
  }

  private static func contents(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
  }
}

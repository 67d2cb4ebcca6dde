import Glibc

/// How often the threads of a process have been switched, and how long they ran, as proc(5) tells.
struct ThreadActivity: Equatable {
  /// One thread.
  struct Thread: Equatable {
    let voluntarySwitches: Int
    let involuntarySwitches: Int
    /// Time on a processor, in nanoseconds.
    let processorTime: Int

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
      threads[identifier] = try Self.thread("\(path)/\(name)")
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

  /// Nil for a thread that has ended. Numbers that are not there are an error: taken as zero, they
  /// would show an idle process whatever it did.
  private static func thread(_ path: String) throws(LatencyError) -> Thread? {
    guard let status = contents(path + "/status") else { return nil }
    guard let times = contents(path + "/schedstat") else {
      if access(path, F_OK) != 0 { return nil }
      throw .missing("\(path)/schedstat", "a kernel with CONFIG_SCHED_INFO")
    }
    guard let voluntary = number(after: "voluntary_ctxt_switches:", in: status),
      let involuntary = number(after: "nonvoluntary_ctxt_switches:", in: status),
      let time = times.split(separator: " ").first.flatMap({ Int($0) })
    else { throw .missing("the counters in \(path)/status and schedstat", "Linux 2.6.23 or later") }
    return Thread(
      voluntarySwitches: voluntary,
      involuntarySwitches: involuntary,
      processorTime: time
    )
  }

  private static func number(after name: String, in status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count).drop { $0 == "\t" || $0 == " " }) }
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

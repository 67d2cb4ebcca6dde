#if !canImport(Darwin)
  public import Glibc

  /// The state of a process at one moment, as `/proc` reports it.
  public struct ProcessSnapshot: Hashable, Sendable {
    /// One letter: `R` running, `S` sleeping, `T` stopped, `Z` zombie and so on.
    public var state: Character
    public var parent: pid_t
    public var group: pid_t
    public var session: pid_t

    /// The main thread's blocked signals, bit 0 for signal 1, and the process's ignored and caught
    /// ones.
    public var blocked: UInt64
    public var ignored: UInt64
    public var caught: UInt64

    public var threads: Int

    /// Time spent running, in user and system mode.
    public var processorTime: Duration

    /// Reads the entries of a process; nil if the process does not exist.
    public init?(_ processID: pid_t) {
      guard let stat = contents("/proc/\(processID)/stat"),
        let status = contents("/proc/\(processID)/status")
      else { return nil }
      self.init(stat: stat, status: status)
    }

    /// Reads the texts of `stat` and `status`; nil if the first one is cut short.
    ///
    /// The rules come from `proc_pid_stat(5)` and `proc_pid_status(5)`.
    init?(stat: String, status: String) {
      // The name of the process, in parentheses, may contain anything.
      guard let nameEnd = stat.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
      let fields = stat[stat.utf8.index(after: nameEnd)...].split(separator: " ")
      guard fields.count > 17 else { return nil }
      let values = StatusFields(status)
      let ticks = Duration.seconds(Int(fields[11]) ?? 0) + .seconds(Int(fields[12]) ?? 0)
      state = fields[0].first ?? "?"
      parent = pid_t(fields[1]) ?? 0
      group = pid_t(fields[2]) ?? 0
      session = pid_t(fields[3]) ?? 0
      threads = Int(fields[17]) ?? 0
      processorTime = ticks / sysconf(CInt(_SC_CLK_TCK))
      blocked = values["SigBlk"].flatMap { UInt64($0, radix: 16) } ?? 0
      ignored = values["SigIgn"].flatMap { UInt64($0, radix: 16) } ?? 0
      caught = values["SigCgt"].flatMap { UInt64($0, radix: 16) } ?? 0
    }

    /// Returns whether the process exists and is more than a zombie.
    public static func isAlive(_ processID: pid_t) -> Bool {
      ProcessSnapshot(processID).map { $0.state != "Z" && $0.state != "X" } ?? false
    }

    /// Returns the bit that represents a signal in ``blocked``, ``ignored`` and ``caught``.
    public static func bit(_ signal: CInt) -> UInt64 { 1 << UInt64(signal - 1) }
  }

  private func contents(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
#endif

/// The fields of a file such as `/proc/self/status`: a name, a colon and a value in each line.
public struct StatusFields {
  private let lines: [Substring]

  public init(_ text: String) {
    // By bytes: tests read such files every millisecond, and characters take ten times as long.
    lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
  }

  /// The value of the first field of that name, without the white space before it.
  public subscript(name: String) -> Substring? {
    let key = "\(name):"
    return lines.first { $0.utf8.starts(with: key.utf8) }?
      .dropFirst(key.count)
      .drop { $0 == "\t" || $0 == " " }
  }
}

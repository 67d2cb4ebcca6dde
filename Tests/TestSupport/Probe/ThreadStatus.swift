public import Foundation
import JobControl

/// What `/proc` shows of a thread.
public struct ThreadStatus: Hashable, Sendable {
  public var id: pid_t
  public var name: String
  /// One letter: `R` running, `S` sleeping and so on.
  public var state: Character
  /// How often it has waited.
  public var waits: Int
  /// The set of signals that it blocks.
  public var blocked: UInt64

  /// The threads of a process at about this moment, the oldest first.
  public static func all(of process: pid_t) -> [Self] {
    numbers(of: process).compactMap { Self($0, of: process) }
  }

  /// The thread on which a process waits for the system, which names itself. Threads that it creates
  /// inherit its name, and are younger.
  public static func waiting(of process: pid_t) -> Self? {
    numbers(of: process).lazy.compactMap { Self($0, of: process) }.first { $0.name == "lifecycle" }
  }

  /// Reads the entry of a thread; nil if it has ended.
  private init?(_ id: pid_t, of process: pid_t) {
    let file = "/proc/\(process)/task/\(id)/status"
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let fields = StatusFields(text)
    self.id = id
    name = fields["Name"].map(String.init) ?? ""
    state = fields["State"]?.first ?? "?"
    waits = fields["voluntary_ctxt_switches"].flatMap { Int($0) } ?? -1
    blocked = fields["SigBlk"].flatMap { UInt64($0, radix: 16) } ?? 0
  }

  /// The numbers of a process's threads, in the order in which the kernel lists them: that of their
  /// creation. The numbers do not tell it, as they wrap around.
  private static func numbers(of process: pid_t) -> [pid_t] {
    guard let directory = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(directory) }
    var numbers: [pid_t] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = pid_t(name) { numbers.append(number) }
    }
    return numbers
  }
}

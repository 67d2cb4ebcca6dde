public import Foundation

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
    let folder = "/proc/\(process)/task"
    return numbers(in: folder).compactMap { id in
      // It may have ended meanwhile.
      guard let text = try? String(contentsOfFile: "\(folder)/\(id)/status", encoding: .utf8) else {
        return nil
      }
      func value(_ key: String) -> Substring {
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(key):\t") }
        return line?.dropFirst(key.count + 2) ?? ""
      }
      return Self(
        id: id,
        name: String(value("Name")),
        state: value("State").first ?? "?",
        waits: Int(value("voluntary_ctxt_switches")) ?? -1,
        blocked: UInt64(value("SigBlk"), radix: 16) ?? 0
      )
    }
  }

  /// The numeric names in a folder, in the order in which the kernel lists them: threads in that of
  /// their creation. Their numbers do not tell it, as they wrap around.
  private static func numbers(in folder: String) -> [pid_t] {
    guard let directory = opendir(folder) else { return [] }
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

  /// The thread on which a process waits for the system, which names itself. Threads that it creates
  /// inherit its name, and are younger.
  public static func waiting(of process: pid_t) -> Self? {
    all(of: process).first { $0.name == "lifecycle" }
  }
}

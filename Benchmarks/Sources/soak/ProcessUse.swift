import CHeapUse
import Foundation

/// The resources that this process uses.
struct ProcessUse {
  /// The bytes that are allocated and not freed.
  var heap: Int
  /// The memory that is resident, in bytes.
  var memory: Int
  var descriptors: Int
  var threads: Int

  static var current: Self {
    Self(
      heap: heap_bytes_in_use(),
      memory: memory,
      descriptors: entries(of: "/proc/self/fd"),
      threads: entries(of: "/proc/self/task")
    )
  }

  /// The second number of `statm`: the pages that are resident. See proc_pid_statm(5).
  private static var memory: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { fatalError("/proc/self/statm can't be read.") }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static func entries(of folder: String) -> Int {
    // It fails when there is no descriptor left.
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).count
    } catch {
      fatalError("\(folder) can't be listed: \(error)")
    }
  }
}

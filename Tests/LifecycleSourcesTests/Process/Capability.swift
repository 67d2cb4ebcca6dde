import Foundation
import JobControl
import TestSupport

/// What a test needs of the machine it runs on. A test without it is skipped, and says why.
enum Capability {
  static let isBashInstalled = ProgramCapability.isInPath("bash")

  /// Whether a process may start another as process 1 of a namespace.
  static let canUnshareProcesses: Bool = {
    let result = try? runProgram(
      "/usr/bin/env",
      ["unshare", "--pid", "--fork", "--kill-child", "true"]
    )
    return result?.status == .exited(0)
  }()

  /// Whether the program that the runtime starts on a crash is where the runtime looks for it.
  static let isBacktracerInstalled: Bool = {
    let file = FileHandle(forReadingAtPath: "/proc/self/maps")
    let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
    let mapping = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    guard let library = mapping?.drop(while: { $0 != "/" }) else { return false }
    // ROOT/lib/swift/linux/libswiftCore.so
    var root = URL(fileURLWithPath: String(library))
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return FileManager.default.isExecutableFile(
      atPath: root.appending(path: "libexec/swift/linux/swift-backtrace").path
    )
  }()
}

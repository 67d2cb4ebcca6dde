import Foundation
import JobControl

/// The system calls of a program, as `strace` lists them.
public enum SystemCallTrace {
  public static let isPossible: Bool = {
    let result = try? runProgram("/usr/bin/env", ["strace", "-o", "/dev/null", "true"])
    return result?.status == .exited(0)
  }()

  /// Runs a program to its end; returns its calls of these names, those of each thread in their order.
  ///
  /// A descriptor has its path behind it: `fsync(3</tmp/file>) = 0`.
  public static func calls(_ names: [String], of program: [String]) throws -> [String] {
    let directory = TemporaryDirectory()
    let options = ["-ff", "-y", "-qq", "-e", "trace=" + names.joined(separator: ",")]
    _ = try runProgram(
      "/usr/bin/env",
      ["strace"] + options + ["-o", directory.path("thread"), "--"] + program
    )
    return try directory.names.flatMap {
      try String(contentsOfFile: directory.path($0), encoding: .utf8)
        .split(separator: "\n").map(String.init)
        // Neither signals nor the end.
        .filter { !$0.hasPrefix("---") && !$0.hasPrefix("+++") }
    }
  }
}

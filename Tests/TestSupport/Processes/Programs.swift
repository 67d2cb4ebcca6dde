import Foundation
import JobControl

/// Where the build has put a program.
///
/// The tests run in an executable of the build directory, or in a helper that is given a bundle
/// there; the program lies beside one of them or in a directory above.
public func builtProgramPath(_ name: String) throws -> String {
  let hints = [currentExecutablePath(), Bundle.main.executablePath ?? ""] + CommandLine.arguments
  for hint in hints where hint.contains("/") {
    var directory = URL(fileURLWithPath: hint).standardizedFileURL
    for _ in 0..<5 where directory.path != "/" {
      directory.deleteLastPathComponent()
      let candidate = directory.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
  }
  throw ProgramNotFound(name: name, hints: hints)
}

struct ProgramNotFound: Error {
  var name: String
  var hints: [String]
}

/// What tests need of the programs of the machine.
public enum ProgramCapability {
  /// Whether a program is installed.
  public static func isInPath(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Whether a program can have a file system of its own, by unshare(1) and mount(8).
  public static let canMount: Bool = {
    let mount = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (try? runProgram("/usr/bin/env", mount))?.status == .exited(0)
  }()

  /// How a program is started as a user who needs permissions: root has to become somebody else.
  public static let unprivileged =
    getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

  /// Whether that user can run a program of the build, which may lie in a folder that only root can read.
  public static func canRunUnprivileged(_ program: String) -> Bool {
    guard let path = try? builtProgramPath(program) else { return false }
    let result = try? runProgram("/usr/bin/env", unprivileged + [path, "--help"])
    return result?.status == .exited(0)
  }
}

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

/// Whether the tests were built with `--sanitize=thread -Xswiftc -DLIFECYCLE_TSAN`.
public let isThreadSanitized: Bool = {
  #if LIFECYCLE_TSAN
    true
  #else
    false
  #endif
}()

/// Whether the tests were built with `--sanitize=address -Xswiftc -DLIFECYCLE_ASAN`.
public let isAddressSanitized: Bool = {
  #if LIFECYCLE_ASAN
    true
  #else
    false
  #endif
}()

/// How many processes a test kills. Few, so that the suite stays fast; `LIFECYCLE_KILLS=200 swift test
/// --filter KillTests` chooses the number for each of them.
public func killCount(usually usual: Int) -> Int {
  chosenKillCount ?? (isThreadSanitized ? max(1, usual / 5) : usual)
}

/// The number of `LIFECYCLE_KILLS`.
public let chosenKillCount = ProcessInfo.processInfo.environment["LIFECYCLE_KILLS"]
  .flatMap(Int.init)

import Foundation
import JobControl

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

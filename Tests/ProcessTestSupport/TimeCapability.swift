import Foundation
import JobControl

/// What the tests of time need of the machine.
public enum TimeCapability {
  /// Whether a process may be given clocks of its own.
  public static let canUnshareTime: Bool = {
    let result = try? runProgram(
      "/usr/bin/env",
      ["unshare", "--time", "--boottime", "1", "--monotonic", "1", "true"]
    )
    return result?.status == .exited(0)
  }()

  /// Whether `faketime` gives programs another wall clock. The dynamic linker complains, and goes on, if
  /// it can't load its library.
  public static let canFakeTime: Bool = {
    let result = try? runProgram("/usr/bin/env", ["faketime", "-m", "-f", "+0", "true"])
    return result.map { $0.status == .exited(0) && $0.text.isEmpty } ?? false
  }()
}

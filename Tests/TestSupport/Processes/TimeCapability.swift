public import Foundation
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
    removeLeftovers()
    let result = try? runProgram("/usr/bin/env", ["faketime", "-m", "-f", "+0", "true"])
    return result.map { $0.status == .exited(0) && $0.text.isEmpty } ?? false
  }()

  /// How a program is started for which the wall clock is moved by what a file says: `+7200`, in
  /// seconds.
  ///
  /// The program has the library loaded, and set up: otherwise that moves the environment, beside which
  /// Swift looks for the arguments. Its own time comes before the file's.
  public static func fakingTime(
    of file: URL
  ) -> (wrapper: [String], environment: [String: String]) {
    removeLeftovers()
    return (
      ["faketime", "-m", "-f", "+0", "env", "-u", "FAKETIME"],
      [
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_TIMESTAMP_FILE": file.path,
        "FAKETIME_NO_CACHE": "1",
      ]
    )
  }

  /// Removes what a `faketime` that was killed has left in shared memory, under the number of its
  /// process: another one that gets the same number would not start.
  private static func removeLeftovers() {
    let folder = "/dev/shm"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let match = name.wholeMatch(of: /(?:sem\.faketime_sem|faketime_shm)_(\d+)/),
        let process = pid_t(match.1), kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}

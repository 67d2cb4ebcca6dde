import Foundation
import JobControl
import TestSupport
import Testing

extension JobControlSession {
  /// Launches the built `rental-countdown`, reporting in JSON.
  func launchCountdown(
    seconds: Int = 300,
    _ change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("rental-countdown")
    let arguments = [program, "--seconds", "\(seconds)", "--format", "json"]
    return try launch(with(JobRequest(arguments), change))
  }

  /// Waits until a process that was continued has its handler back. Until then the signal stops it
  /// once more, which nobody needs to be told.
  func waitUntilCaught(_ signal: CInt, by countdown: Job) {
    let deadline = ContinuousClock.now + timeout
    while ContinuousClock.now < deadline {
      let caught = ProcessSnapshot(countdown.processID)?.caught ?? 0
      if caught & ProcessSnapshot.bit(signal) != 0 { return }
      idle(for: .milliseconds(1))
    }
    Issue.record("signal \(signal) is not caught")
  }
}

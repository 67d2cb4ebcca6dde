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
}

import ArgumentParser
import Foundation
import LifecycleFlightRecording
import ProgramReporting

/// A failure of the program: a message, and the status to exit with.
struct MonitorFailure: Error, Equatable {
  var message: String
  var status: Int32

  init(_ message: String, status: Int32) {
    (self.message, self.status) = (message, status)
  }

  init(_ error: any Error) {
    switch error {
    case let failure as Self: self = failure
    case let error as OutputFile.Failure: self.init("\(error)", status: error.status)
    case let error as FlightFileError: self.init("\(error)", status: error.exitStatus)
    case let error as DescriptorOutput.Failure: self.init("\(error)", status: EX_IOERR)
    default: self.init("\(error)", status: EX_OSERR)
    }
  }
}

extension FlightFileError {
  fileprivate var exitStatus: Int32 {
    switch problem {
    case .missing, .unreadable: EX_NOINPUT
    case .notARecording, .laterVersion: EX_DATAERR
    case .unwritable, .changedByAnotherProgram: EX_IOERR
    }
  }
}

/// Runs the body of a command, and exits with the status of its failure after a message.
@MainActor
func reportingFailures(_ body: @MainActor () async throws -> Void) async throws {
  do {
    try await body()
  } catch {
    throw MonitorFailure(error).reported()
  }
}

extension MonitorFailure {
  /// Writes the message, and returns the status to exit with.
  func reported() -> ExitCode {
    DescriptorOutput.diagnose(message, program: "lifecycle-monitor")
    return ExitCode(status)
  }
}

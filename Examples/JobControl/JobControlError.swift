#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reason why a job-control session could not carry out a request.
public enum JobControlError: Error, Equatable {
  /// A system call failed.
  case system(call: String, error: CInt)

  /// The shell could not carry out a command, for example because the program does not exist.
  case refused(command: String, error: CInt)

  /// Something did not happen in time. `seen` describes what happened instead.
  case timedOut(awaited: String, after: Duration, seen: String)

  /// The awaited event can no longer happen, because its origin has ended.
  case ended(awaited: String, seen: String)

  /// The shell sent a message that this version does not understand.
  case protocolViolation(String)

  static func current(_ call: String) -> JobControlError {
    .system(call: call, error: errno)
  }
}

extension JobControlError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .system(let call, let error):
      "\(call) failed: \(errorText(error))"
    case .refused(let command, let error):
      "The shell failed to \(command): \(errorText(error))"
    case .timedOut(let awaited, let duration, let seen):
      "Timed out after \(duration) while waiting for \(awaited).\n\(seen)"
    case .ended(let awaited, let seen):
      "Gave up waiting for \(awaited), because its source has ended.\n\(seen)"
    case .protocolViolation(let text):
      "The shell sent an invalid message: \(text)"
    }
  }
}

private func errorText(_ error: CInt) -> String {
  "\(String(cString: strerror(error))) (errno \(error))"
}

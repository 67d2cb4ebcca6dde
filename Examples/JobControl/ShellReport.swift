#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A report from the shell to the parent. Every command is answered once, by `done` or `failed`;
/// statuses are sent as they occur.
enum ShellReport: Hashable {
  /// `value` is the process ID of a launched job, and zero otherwise.
  case done(value: pid_t)
  case failed(error: CInt)
  case status(pid_t, waitStatus: CInt, nanoseconds: Int64)
}

extension ShellReport {
  var fields: [String] {
    switch self {
    case .done(let value): ["done", "\(value)"]
    case .failed(let error): ["failed", "\(error)"]
    case .status(let job, let status, let time): ["status", "\(job)", "\(status)", "\(time)"]
    }
  }

  init(fields: [String]) throws(JobControlError) {
    var reader = FieldReader(fields)
    let name = try reader.next()
    switch name {
    case "done": self = .done(value: try reader.next())
    case "failed": self = .failed(error: try reader.next())
    case "status":
      self = .status(
        try reader.next(),
        waitStatus: try reader.next(),
        nanoseconds: try reader.next()
      )
    default: throw .protocolViolation(name)
    }
  }
}

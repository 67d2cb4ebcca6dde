#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The status of a job, as `waitpid` reports it.
public enum JobStatus: Hashable, Sendable {
  case exited(CInt)
  case signaled(CInt)
  case stopped(CInt)
  case continued

  /// A Boolean value that indicates whether the process has ended, so that no status can follow.
  public var isEnd: Bool {
    switch self {
    case .exited, .signaled: true
    case .stopped, .continued: false
    }
  }

  /// The number that `waitpid` fills in for a process that continued.
  static let continuedNumber: CInt = 0xffff

  /// Decodes the number that `waitpid` fills in.
  public init(waitStatus: CInt) {
    let signal = waitStatus & 0x7f
    switch (waitStatus & 0xff, signal) {
    case _ where waitStatus == Self.continuedNumber: self = .continued
    case (0x7f, _): self = .stopped((waitStatus >> 8) & 0xff)
    case (_, 0): self = .exited((waitStatus >> 8) & 0xff)
    default: self = .signaled(signal)
    }
  }
}

extension JobStatus: CustomStringConvertible {
  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signaled(let signal): "killed by signal \(signal)"
    case .stopped(let signal): "stopped by signal \(signal)"
    case .continued: "continued"
    }
  }
}

/// A status and the moment at which the shell received it.
public struct JobStatusChange: Hashable, Sendable {
  public var status: JobStatus

  /// Nanoseconds on the clock that counts while the system sleeps (`CLOCK_BOOTTIME` on Linux).
  public var nanoseconds: Int64
}

/// Returns the nanoseconds on the clock that counts while the system sleeps.
func bootNanoseconds() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
  #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  #endif
}

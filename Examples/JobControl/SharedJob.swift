#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// A program that runs in the process group of this process, so that keys of the terminal and the
/// commands of a shell reach both.
public struct SharedJob: Sendable {
  /// The process ID of the program.
  public let processID: pid_t

  /// Starts a program, which is looked up in `PATH` if its name contains no slash. It inherits the
  /// descriptors, the environment, and the ignored signals of this process.
  ///
  /// - Parameter blockedSignals: The signals that are blocked when the program begins.
  public init(_ arguments: [String], blockedSignals: sigset_t) throws(JobControlError) {
    var spawn = Spawn(
      arguments: arguments,
      environment: currentEnvironment(),
      group: .inherited
    )
    spawn.blockedSignals = blockedSignals
    spawn.defaultSignals = .empty
    processID = try spawn.run()
  }

  /// Returns the next status that the kernel has for this process; nil if there is none yet.
  public func takeStatus() -> JobStatus? {
    var waitStatus: CInt = 0
    let result = waitpid(processID, &waitStatus, WNOHANG | WUNTRACED | WCONTINUED)
    return result == processID ? JobStatus(waitStatus: waitStatus) : nil
  }

  /// Sends a signal to the program. Has no effect if it has ended.
  public func signal(_ signal: CInt) {
    kill(processID, signal)
  }
}

#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// A program that begins in the process group of this process, so that keys of the terminal and the
/// commands of a shell reach both.
public struct SharedJob: Sendable {
  /// The process ID of the program.
  public let processID: pid_t

  /// Starts a program, which is looked up in `PATH` if its name contains no slash. It inherits the
  /// descriptors, the environment, and the ignored signals of this process.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments, each as bytes, which need not be UTF-8.
  ///   - blockedSignals: The signals that are blocked when the program begins.
  public init(_ arguments: [[UInt8]], blockedSignals: sigset_t) throws(JobControlError) {
    var spawn = Spawn(
      arguments: arguments,
      environment: currentEnvironment(),
      group: .inherited
    )
    spawn.blockedSignals = blockedSignals
    spawn.defaultSignals = .empty
    processID = try spawn.run()
  }

  /// Returns the next status that the kernel has for the program; nil if there is none yet.
  ///
  /// Reaps every other child of this process, which has one if it is process 1, or a subreaper, and
  /// what the program has started outlives its parent.
  public func takeStatus() -> JobStatus? {
    var waitStatus: CInt = 0
    while true {
      let child = waitpid(-1, &waitStatus, WNOHANG | WUNTRACED | WCONTINUED)
      if child == processID { return JobStatus(waitStatus: waitStatus) }
      guard child > 0 else { return nil }
    }
  }

  /// The process group of the program: that of this process, unless the program has made its own,
  /// as an interactive shell does.
  public var group: pid_t {
    let group = getpgid(processID)
    return group < 0 ? getpgrp() : group
  }

  public var isInOwnGroup: Bool { group != getpgrp() }

  /// A Boolean value that indicates whether the program has made its own session, which has no
  /// terminal, as a daemon does.
  public var isInOwnSession: Bool {
    let session = getsid(processID)
    return session >= 0 && session != getsid(0)
  }

  /// Continues the program, and all of its process group if that is its own.
  public func resume() {
    kill(isInOwnGroup ? -group : processID, SIGCONT)
  }

  /// Sends a signal to the program. Has no effect if it has ended.
  public func signal(_ signal: CInt) {
    kill(processID, signal)
  }
}

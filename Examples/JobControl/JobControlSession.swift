#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// A terminal, a shell that leads a session on it, and the jobs of that shell: everything between a
/// user's keys and a program.
///
/// ```swift
/// let session = try JobControlSession()
/// defer { session.close() }
/// let job = try session.launch(JobRequest(["cat"]))
/// try session.terminal.type(PseudoTerminal.controlZ)
/// print(try job.nextStatus().status)
/// ```
/// ```text
/// stopped by signal 20
/// ```
///
/// All waiting is done with `poll` on the calling thread, which must therefore not be one that
/// other work needs; ``withJobControlSession(executable:timeout:_:)`` provides a thread. A session
/// and its jobs must not be used from two threads at once.
public final class JobControlSession {
  public let terminal: PseudoTerminal

  /// The process ID of the shell, which is also the ID of its session and its process group.
  public let shellProcessID: pid_t

  /// The time to wait if a call specifies none. It measures nothing; it only ends a wait for
  /// something that does not come.
  public let timeout: Duration

  /// All jobs that were launched.
  public internal(set) var jobs: [Job] = []

  var control: CInt
  var reader = ControlMessageReader()
  var answers: [ShellReport] = []
  var isTerminalReadable = true

  /// Statuses that arrived together with the answer to the launch of their job.
  var earlyChanges: [pid_t: [JobStatusChange]] = [:]
  private var isClosed = false

  /// Starts the shell.
  ///
  /// - Parameter executable: A program that calls ``JobControlShell/runIfRequested(_:)``; by
  ///   default the one that is running.
  public init(
    executable: String = currentExecutablePath(),
    terminal: PseudoTerminal? = nil,
    timeout: Duration = .seconds(300)
  ) throws(JobControlError) {
    self.terminal = if let terminal { terminal } else { try PseudoTerminal() }
    self.timeout = timeout
    var (parentEnd, shellEnd) = try socketPair()
    defer { closeDescriptor(&shellEnd) }
    var spawn = Spawn(
      arguments: [executable, JobControlShell.argument].map { Array($0.utf8) },
      environment: currentEnvironment(),
      group: .ownSession
    )
    spawn.fileActions = [
      .open(STDIN_FILENO, path: self.terminal.slavePath, flags: O_RDWR),
      .duplicate(STDIN_FILENO, as: STDOUT_FILENO),
      .duplicate(STDIN_FILENO, as: STDERR_FILENO),
      .duplicate(shellEnd, as: JobControlShell.control),
      .closeFrom(JobControlShell.control + 1),
    ]
    do {
      shellProcessID = try spawn.run()
    } catch {
      closeDescriptor(&parentEnd)
      throw error
    }
    control = parentEnd
  }

  deinit { close() }

  public var hasShellExited: Bool { control < 0 }

  /// Kills the remaining jobs, ends the shell, and hangs up the terminal.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    if !endShell() {
      for job in jobs where !job.hasEnded { kill(-job.processID, SIGKILL) }
    }
    for job in jobs { job.close() }
    terminal.close()
  }

  /// Ends the shell and, with it, its jobs, by closing the command socket; kills the shell if it
  /// does not end in time.
  ///
  /// - Returns: Whether the shell has killed its jobs.
  private func endShell() -> Bool {
    var hasKilledJobs = false
    if control >= 0 {
      shutdown(control, CInt(SHUT_WR))
      do {
        try wait(for: "the shell's end") {
          self.hasShellExited ? .found(()) : .notYet
        }
        hasKilledJobs = true
      } catch {
        kill(shellProcessID, SIGKILL)
        closeDescriptor(&control)
      }
    }
    while waitpid(shellProcessID, nil, 0) < 0, errno == EINTR {}
    return hasKilledJobs
  }
}

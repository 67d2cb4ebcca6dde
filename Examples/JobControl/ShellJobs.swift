#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The shell's jobs and the terminal they share.
struct ShellJobs {
  private var stoppedJobs: Set<pid_t> = []
  private var liveJobs: Set<pid_t> = []
  private var foregroundJob: pid_t?
  private var savedAttributes: termios?

  init() {
    var attributes = termios()
    if tcgetattr(JobControlShell.terminal, &attributes) == 0 { savedAttributes = attributes }
  }

  mutating func launch(_ request: JobRequest, output: String) -> ShellReport {
    var outputDescriptor: CInt = -1
    defer { closeDescriptor(&outputDescriptor) }
    if request.usesLines {
      // Opened without waiting, so that a parent that has died cannot block the shell.
      outputDescriptor = open(output, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      guard outputDescriptor >= 0, fcntl(outputDescriptor, F_SETFL, O_WRONLY) == 0 else {
        return .failed(error: errno)
      }
    }
    let ignored = request.ignoredSignals.signals
    let previous = ignored.map { signal($0, SIG_IGN) }
    defer { for (number, handler) in zip(ignored, previous) { signal(number, handler) } }
    do {
      let job = try request.spawn(output: outputDescriptor).run()
      liveJobs.insert(job)
      if request.placement == .foreground {
        foregroundJob = job
        tcsetpgrp(JobControlShell.terminal, job)
      }
      return .done(value: job)
    } catch .system(_, let error) {
      takeTerminal()
      return .failed(error: error)
    } catch {
      return .failed(error: EINVAL)
    }
  }

  mutating func foreground(_ job: pid_t, continuing: Bool) -> ShellReport {
    guard tcsetpgrp(JobControlShell.terminal, job) == 0 else { return .failed(error: errno) }
    foregroundJob = job
    return continuing ? .result(of: kill(-job, SIGCONT)) : .done(value: 0)
  }

  mutating func background(_ job: pid_t) -> ShellReport {
    if foregroundJob == job { takeTerminal() }
    return .result(of: kill(-job, SIGCONT))
  }

  @discardableResult
  mutating func takeTerminal() -> ShellReport {
    foregroundJob = nil
    guard tcsetpgrp(JobControlShell.terminal, getpgrp()) == 0 else { return .failed(error: errno) }
    if var attributes = savedAttributes {
      tcsetattr(JobControlShell.terminal, TCSANOW, &attributes)
    }
    return .done(value: 0)
  }

  /// Returns the statuses that `waitpid` reports. The terminal is taken back from a foreground job
  /// that stopped or ended before its status is reported.
  mutating func collectStatuses() -> [ShellReport] {
    var reports: [ShellReport] = []
    var waitStatus: CInt = 0
    while true {
      let job = waitpid(-1, &waitStatus, WNOHANG | WUNTRACED | WCONTINUED)
      guard job > 0 else { return reports }
      let status = JobStatus(waitStatus: waitStatus)
      let now = bootNanoseconds()
      // If a job continued and ended before this point, the kernel reports only the end.
      if stoppedJobs.contains(job), status.isEnd, status != .signaled(SIGKILL) {
        reports.append(.status(job, waitStatus: JobStatus.continuedNumber, nanoseconds: now))
      }
      note(status, of: job)
      reports.append(.status(job, waitStatus: waitStatus, nanoseconds: now))
    }
  }

  private mutating func note(_ status: JobStatus, of job: pid_t) {
    if case .stopped = status { stoppedJobs.insert(job) } else { stoppedJobs.remove(job) }
    if status.isEnd { liveJobs.remove(job) }
    if job == foregroundJob, status != .continued { takeTerminal() }
  }

  /// Sends SIGHUP to every job, and SIGCONT to the stopped ones, which could not act on it
  /// otherwise.
  func hangUp() {
    for job in liveJobs {
      kill(-job, SIGHUP)
      if stoppedJobs.contains(job) { kill(-job, SIGCONT) }
    }
  }

  /// Kills every job's process group and waits until the jobs have ended.
  func killAll() {
    for job in liveJobs { kill(-job, SIGKILL) }
    while waitpid(-1, nil, 0) > 0 || errno == EINTR {}
  }
}

extension JobRequest {
  var usesLines: Bool { standardOutput == .lines || standardError == .lines }

  fileprivate func spawn(output: CInt) -> Spawn {
    var spawn = Spawn(
      arguments: arguments.map { Array($0.utf8) },
      environment: currentEnvironment(adding: environment),
      group: .own
    )
    switch placement {
    case .foreground: spawn.fileActions.append(.takeTerminal(JobControlShell.terminal))
    case .background: break
    case .newSession: spawn.group = .ownSession
    case .newSessionOnTerminal(let path):
      spawn.group = .ownSession
      spawn.fileActions.append(.open(STDIN_FILENO, path: path, flags: O_RDWR))
      spawn.fileActions.append(.duplicate(STDIN_FILENO, as: STDOUT_FILENO))
      spawn.fileActions.append(.duplicate(STDIN_FILENO, as: STDERR_FILENO))
    }
    spawn.blockedSignals = blockedSignals.mask
    var defaults = sigset_t.full
    for signal in ignoredSignals.signals { sigdelset(&defaults, signal) }
    spawn.defaultSignals = defaults

    let streams = [standardInput, standardOutput, standardError]
    for (descriptor, stream) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], streams) {
      switch stream {
      case .terminal: break
      case .null:
        spawn.fileActions.append(.open(descriptor, path: "/dev/null", flags: O_RDWR))
      case .lines: spawn.fileActions.append(.duplicate(output, as: descriptor))
      }
    }
    return spawn
  }
}

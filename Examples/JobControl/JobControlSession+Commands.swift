#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension JobControlSession {
  /// Launches a job and returns when its program has started.
  public func launch(_ request: JobRequest) throws(JobControlError) -> Job {
    let pipe = request.usesLines ? try NamedPipe() : nil
    defer { pipe?.unlinkPath() }
    var descriptor = pipe?.descriptor ?? -1
    do {
      let processID = try perform(.launch(request, output: pipe?.path ?? ""))
      let job = Job(request, processID: processID, descriptor: descriptor, session: self)
      for change in earlyChanges.removeValue(forKey: processID) ?? [] { job.note(change) }
      jobs.append(job)
      return job
    } catch {
      closeDescriptor(&descriptor)
      throw error
    }
  }

  /// Gives the terminal to the job and continues it, as the shells' `fg` does with a stopped job.
  public func foreground(_ job: Job) throws(JobControlError) {
    try perform(.foreground(job.processID, continuing: true))
  }

  /// Gives the terminal to the job without SIGCONT, as the `fg` of bash and zsh does with a job
  /// that runs in the background.
  public func foregroundWithoutContinue(_ job: Job) throws(JobControlError) {
    try perform(.foreground(job.processID, continuing: false))
  }

  /// Takes the terminal back if the job has it, and continues the job, as `bg` does.
  public func background(_ job: Job) throws(JobControlError) {
    try perform(.background(job.processID))
  }

  /// Takes the terminal back and leaves the job alone.
  public func takeTerminal() throws(JobControlError) {
    try perform(.takeTerminal)
  }

  /// Sends a signal to the job's process alone.
  public func signal(_ signal: CInt, _ job: Job) throws(JobControlError) {
    try perform(.signal(signal, target: job.processID))
  }

  /// Sends a signal to the job's whole process group.
  public func signalGroup(_ signal: CInt, _ job: Job) throws(JobControlError) {
    try perform(.signal(signal, target: -job.processID))
  }

  /// Makes the shell exit, which leaves the jobs behind, orphaned, until the session is closed.
  public func exitShell() throws(JobControlError) {
    try send(.exit)
    try wait(for: "the shell's exit") { self.hasShellExited ? .found(()) : .notYet }
  }

  @discardableResult
  private func perform(_ command: ShellCommand) throws(JobControlError) -> pid_t {
    try send(command)
    let name = command.fields[0]
    let answer: ShellReport = try wait(for: "the shell's answer to \(name)") {
      if !self.answers.isEmpty { return .found(self.answers.removeFirst()) }
      return self.hasShellExited ? .impossible : .notYet
    }
    guard case .done(let value) = answer else {
      if case .failed(let error) = answer { throw .refused(command: name, error: error) }
      throw .protocolViolation(name)
    }
    return value
  }

  private func send(_ command: ShellCommand) throws(JobControlError) {
    guard !hasShellExited else { throw .ended(awaited: command.fields[0], seen: account) }
    try sendAll(ControlMessage.encode(command.fields), to: control)
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The shell: leader of a session on a terminal, which starts jobs, moves them between the
/// foreground and the background, and reports their statuses.
///
/// It runs as a separate process, started by ``JobControlSession``. When its parent exits, the
/// shell kills its jobs and ends.
public struct JobControlShell {
  /// The first argument that makes an executable run as the shell.
  public static let argument = "job-control-shell"

  static let terminal = STDIN_FILENO
  static let control: CInt = 3

  var jobs = ShellJobs()
  private var reader = ControlMessageReader()
  private var isHungUp = false

  /// Runs as the shell and never returns, if the arguments request it. Every executable that
  /// ``JobControlSession`` may start must call it before anything else.
  public static func runIfRequested(_ arguments: [String]) {
    guard arguments.count > 1, arguments[1] == argument else { return }
    var shell = JobControlShell()
    shell.run()
  }

  private mutating func run() -> Never {
    for ignored in [SIGTTOU, SIGTTIN, SIGTSTP, SIGINT, SIGQUIT, SIGPIPE] {
      signal(ignored, SIG_IGN)
    }
    var wakingSignals = sigset_t([SIGCHLD, SIGHUP])
    sigprocmask(SIG_BLOCK, &wakingSignals, nil)
    signal(SIGCHLD) { _ in }
    signal(SIGHUP) { _ in }
    _ = fcntl(Self.control, F_SETFD, FD_CLOEXEC)
    _ = fcntl(Self.control, F_SETFL, O_RDWR | O_NONBLOCK)

    while true {
      for status in jobs.collectStatuses() { report(status) }
      forwardHangUp()
      if waitForControl() { obeyCommands() }
    }
  }

  /// Waits for a command, a change of a job or a hang-up; true means a command. The two signals are
  /// unblocked only during the wait, so that none arrives too early to be noticed.
  private func waitForControl() -> Bool {
    var descriptors = fd_set()
    withUnsafeMutableBytes(of: &descriptors) { bytes in
      bytes.bindMemory(to: UInt8.self)[Int(Self.control) / 8] |= 1 << UInt8(Self.control % 8)
    }
    var nothingBlocked = sigset_t.empty
    return pselect(Self.control + 1, &descriptors, nil, nil, nil, &nothingBlocked) > 0
  }

  private mutating func obeyCommands() {
    var bytes: [UInt8] = []
    let state = readAvailableBytes(from: Self.control) { bytes += $0 }
    do {
      for fields in try reader.receive(bytes) {
        report(perform(try ShellCommand(fields: fields)))
      }
    } catch {
      jobs.killAll()
      _exit(70)
    }
    if state == .ended {
      jobs.killAll()
      _exit(0)
    }
  }

  private mutating func perform(_ command: ShellCommand) -> ShellReport {
    switch command {
    case .launch(let request, let output): jobs.launch(request, output: output)
    case .foreground(let job, let continuing): jobs.foreground(job, continuing: continuing)
    case .background(let job): jobs.background(job)
    case .takeTerminal: jobs.takeTerminal()
    case .signal(let signal, let target): .result(of: kill(target, signal))
    case .exit: _exit(0)
    }
  }

  private func report(_ report: ShellReport) {
    // A parent that no longer listens is noticed when its commands end.
    try? sendAll(ControlMessage.encode(report.fields), to: Self.control)
  }

  /// Forwards a hang-up of the terminal to the jobs, as shells do. Unlike a real shell, this one
  /// keeps running to report how they end.
  private mutating func forwardHangUp() {
    guard !isHungUp else { return }
    var request = pollfd(fd: Self.terminal, events: 0, revents: 0)
    guard poll(&request, 1, 0) > 0, request.revents & Int16(POLLHUP) != 0 else { return }
    isHungUp = true
    jobs.hangUp()
  }
}

extension ShellReport {
  /// Returns the answer to a command that is one system call.
  static func result(of code: CInt) -> ShellReport {
    code == 0 ? .done(value: 0) : .failed(error: errno)
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension JobControlSession {
  enum Finding<Value> {
    case found(Value)
    case notYet
    case impossible
  }

  /// Reads the output of the shell, the terminal and the jobs until the search succeeds.
  func wait<Value>(
    for awaited: String,
    within timeout: Duration? = nil,
    _ search: () -> Finding<Value>
  ) throws(JobControlError) -> Value {
    let timeout = timeout ?? self.timeout
    let deadline = ContinuousClock.now + timeout
    while true {
      takeInAvailable()
      switch search() {
      case .found(let value): return value
      case .impossible: throw .ended(awaited: awaited, seen: account)
      case .notYet: break
      }
      let rest = deadline - .now
      guard rest > .zero else {
        throw .timedOut(awaited: awaited, after: timeout, seen: account)
      }
      waitForInput(atMost: rest)
    }
  }

  /// Waits until the terminal has shown the text.
  public func waitForTerminal(
    toShow text: String,
    within timeout: Duration? = nil
  ) throws(JobControlError) {
    try waitForTerminal(text.debugDescription, within: timeout) { $0.contains(text) }
  }

  /// Waits until all that the terminal has shown meets the condition.
  public func waitForTerminal(
    _ awaited: String,
    within timeout: Duration? = nil,
    where isAwaited: (_ shown: String) -> Bool
  ) throws(JobControlError) {
    try wait(for: "\(awaited) on the terminal", within: timeout) {
      isAwaited(self.terminal.outputText) ? .found(()) : .notYet
    }
  }

  /// Lets time pass while all output is read. Use it only for the few statements of the form
  /// "nothing happens"; whatever does happen must be waited for by name.
  public func idle(for duration: Duration) {
    let deadline = ContinuousClock.now + duration
    while true {
      let rest = deadline - .now
      guard rest > .zero else { return }
      waitForInput(atMost: rest)
      takeInAvailable()
    }
  }

  private func waitForInput(atMost duration: Duration) {
    var requests: [pollfd] = []
    if control >= 0 { requests.append(.reading(control)) }
    if isTerminalReadable, !terminal.isClosed { requests.append(.reading(terminal.descriptor)) }
    for job in jobs where job.descriptor >= 0 { requests.append(.reading(job.descriptor)) }
    _ = poll(&requests, nfds_t(requests.count), CInt(duration / .milliseconds(1)) + 1)
  }

  /// Reads the control socket first, so that output written before a status is read after it.
  func takeInAvailable() {
    if control >= 0 {
      var bytes: [UInt8] = []
      let state = readAvailableBytes(from: control) { bytes += $0 }
      for fields in (try? reader.receive(bytes)) ?? [] {
        if let report = try? ShellReport(fields: fields) { take(in: report) }
      }
      if state == .ended { closeDescriptor(&control) }
    }
    if !terminal.isClosed { isTerminalReadable = terminal.readAvailable() }
    for job in jobs { job.readAvailable() }
  }

  private func take(in report: ShellReport) {
    guard case .status(let processID, let status, let time) = report else {
      answers.append(report)
      return
    }
    let change = JobStatusChange(status: JobStatus(waitStatus: status), nanoseconds: time)
    if let job = jobs.last(where: { $0.processID == processID }) {
      job.note(change)
    } else {
      earlyChanges[processID, default: []].append(change)
    }
  }

  var account: String {
    let shown = terminal.outputText
    return "The shell has \(hasShellExited ? "exited" : "not exited"); the terminal shows "
      + "\(shown.suffix(2_000).debugDescription).\n"
      + jobs.map(\.account).joined(separator: "\n")
  }
}

extension pollfd {
  fileprivate static func reading(_ descriptor: CInt) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}

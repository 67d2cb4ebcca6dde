import CLifecycleShims
import DequeModule
import Dispatch
import LifecycleCore
import LifecycleSupport

/// The engine's turn on the thread of the process: passes signals and deadlines to the machine, and
/// performs the machine's actions.
///
/// It runs no observer and no expiration handler, and waits for none.
struct SignalLoop: SignalHandlingLoop {
  /// The interval at which the terminal is read while the process runs in the background.
  private static let pollInterval = Duration.milliseconds(250)
  /// The time for which a report may delay the stop or the end, in slices of the running time: a
  /// moment, because the process may be about to end, but no more, because it must not hang.
  private static let reportTime = 2
  /// The time for which the buffer of standard output may delay the end, in such slices.
  private static let outputTime = 5

  private let engine: ProcessSignalEngine
  private let pipe: SignalPipe
  private let reports = DispatchQueue(label: "lifecycle.process-signals.reports")
  /// Signals that were read from the pipe and not yet handled.
  private var inbox: Deque<SignalPipe.Signal>
  /// A Boolean value that indicates whether an action has read the pipe. A wake-up among the
  /// messages may stand for a change that this turn has not seen.
  private var hasReadPipe = false
  /// The instant of the next reading of the terminal; nil while no other process group has it.
  private var nextPoll: SuspendingClock.Instant?
  /// The state of the terminal at the last reading.
  private var lastTerminal: ControllingTerminal.State
  /// The moment at which the pending stop was requested.
  private var stopRequest = SignalMoment.zero
  /// The moment of the last SIGCONT that took a stop back before the machine handled it.
  private var cancellation: SignalMoment?
  /// The instant, by the running time, since which only tasks are awaited; nil while that is not
  /// the case.
  private var waitForTasks: RunningTime.Instant?
  private var unaccepted = UnacceptedSignals()
  /// A Boolean value that indicates whether neither the terminal nor a pipe can cut off the end.
  private var isProtected = false
  /// The signals that this thread has unblocked, and does not unblock again.
  private var unblocked: [JobControlSignal] = []

  init(engine: ProcessSignalEngine, pipe: SignalPipe, early: [SignalPipe.Signal]) {
    self.engine = engine
    self.pipe = pipe
    inbox = Deque(early)
    lastTerminal = engine.state.withLock { $0.machine.terminal }
  }

  var isClosing: Bool { engine.state.withLock { $0.isClosing } }

  mutating func turn() {
    turn(waitsForTasks: true)
    // An engine that lost its last connection in the middle of something requests its removal as
    // soon as that is done.
    if engine.state.withLock({ !$0.isClosing && $0.isUnused }) { ProcessSignalEngine.removeSoon() }
  }

  mutating func nextDeadline() -> SuspendingClock.Instant? {
    let (needsPolling, deadline, exitRequest, idle) = engine.state.withLock { state in
      (
        state.machine.needsPolling, state.deadline, state.exitRequest?.nextLimit,
        state.idleConnections
      )
    }
    nextPoll = needsPolling ? nextPoll ?? SuspendingClock.now + Self.pollInterval : nil
    let tasks = ProcessTasks.withMachine { machine, _ in
      machine.nextDeadline(waitingSince: waitForTasks)
    }
    var next = earlier(deadline, earlier(exitRequest, tasks))
    for connection in idle { next = earlier(next, connection.nextTurnLimit) }
    return earlier(RunningTime.beginWait(until: next), nextPoll)
  }

  mutating func end() {
    // Signals that arrived before this point are carried out, without observers, and without tasks,
    // whose ends are no longer noticed. Later signals act as they did before the engine existed,
    // and this thread unblocks no more of them.
    engine.signals.restore()
    unblocked += engine.signals.installed
    lifecycle_pipe_accept_signals(false)
    repeat {
      turn(waitsForTasks: false)
    } while !engine.state.withLock { $0.machine.isIdle }
    let signals = unaccepted.signals { SignalDisposition(current: $0).isDefault }
    for signal in signals { kill(getpid(), signal.number) }
    SignalThread.blockAll()
    engine.hasEnded.signal()
  }

  // MARK: Inputs

  /// - Parameter waitsForTasks: Whether a stop or the end waits for its tasks.
  private mutating func turn(waitsForTasks: Bool) {
    RunningTime.endWait()
    repeat {
      readPipe()
      hasReadPipe = false
      unblockInstalled()
      handleInbox()
      checkExitRequest()
      checkAwaited()
      checkTasks(waitsForTasks)
      checkTurns()
      if let nextPoll, SuspendingClock.now >= nextPoll {
        self.nextPoll = nil
        readTerminal(because: nil)
      }
    } while hasReadPipe
  }

  private func checkTurns() {
    for connection in engine.state.withLock({ $0.idleConnections }) {
      connection.reportMissingTurn(on: reports)
    }
  }

  private mutating func readPipe() {
    inbox.append(contentsOf: pipe.takeAll())
    hasReadPipe = true
  }

  /// Unblocks the signals that a connection has added. The others stay as they are: the stop that
  /// is under way blocks its own.
  private mutating func unblockInstalled() {
    let added = engine.signals.installed.filter { !unblocked.contains($0) }
    guard !added.isEmpty else { return }
    SignalThread.accept(added)
    unblocked += added
  }

  private mutating func handleInbox() {
    while let (signal, moment) = inbox.popFirst() {
      if signal == .continue, moment != cancellation,
        engine.state.withLock({ !$0.machine.isStopping })
      {
        // It neither takes a stop back nor continues the process after one.
        ProcessThread.call(.continued)
      }
      let response = handle(.signal(signal, at: moment))
      if signal.isEnd { keepIfUnaccepted(signal, response) }
    }
  }

  private mutating func checkExitRequest() {
    let (exitRequest, signal) = engine.state.withLock {
      ($0.exitRequest, $0.machine.signalOfExitRequest)
    }
    guard let exitRequest, let signal else { return }
    let isTimeUp = exitRequest.isTimeUp(at: RunningTime.now)
    guard let isCancelled = exitRequest.answer ?? (isTimeUp ? exitRequest.isCancelledSoFar : nil)
    else { return }
    engine.state.discard { $0.takeExitRequest() }
    let response = handle(.exitAnswered(isCancelled: isCancelled, at: .now))
    if !isCancelled { keepIfUnaccepted(signal, response) }
  }

  private mutating func keepIfUnaccepted(
    _ signal: JobControlSignal,
    _ response: SignalAnnouncement?
  ) {
    engine.state.withLock { unaccepted.check(signal, response, $0) }
  }

  private mutating func checkAwaited() {
    let (awaited, deadline) = engine.state.withLock { ($0.awaited, $0.deadline) }
    let isTimeUp = deadline.map { RunningTime.now >= $0 } ?? false
    guard let awaited else {
      // Only tasks are awaited, and a second signal has hurried them.
      if isTimeUp { handle(.deadlinePassed) }
      return
    }
    let isFinished = awaited.late.isEmpty
    guard isFinished || isTimeUp else { return }
    handle(isFinished ? .deliveriesFinished : .deadlinePassed)
    engine.state.withLock { $0.finish(awaited) }
  }

  private mutating func checkTasks(_ waits: Bool) {
    ProcessTasks.expire()
    guard engine.state.withLock({ $0.machine.awaitsTasks }) else {
      waitForTasks = nil
      return
    }
    let since = waitForTasks ?? RunningTime.now
    waitForTasks = since
    let isDone = ProcessTasks.withMachine { $0.finish(at: $1, waitingSince: since) }
    guard isDone || !waits else { return }
    waitForTasks = nil
    handle(.tasksFinished)
  }

  /// Passes an input to the machine, and performs its actions.
  ///
  /// - Returns: The announcement of the end, or of a request to reload, that a signal has led to;
  ///   nil if there is none.
  @discardableResult
  private mutating func handle(_ input: JobControlInput) -> SignalAnnouncement? {
    let (actions, mayEnd) = engine.state.withLock { ($0.handle(input), $0.machine.mayEnd) }
    // Before observers are notified: the process must not be stopped in the middle of its end.
    if mayEnd != isProtected, !isClosing {
      isProtected = mayEnd
      engine.signals.protectEnd(mayEnd)
    }
    return actions.compactMap { perform($0) }.first
  }

  // MARK: Actions

  /// - Returns: As for `handle`.
  private mutating func perform(_ action: JobControlAction) -> SignalAnnouncement? {
    switch action {
    case .announce(let kind, let signal, let moment, let isAwaited):
      let (announcement, connections) = engine.state.withLock { state in
        state.announce(kind, signal: signal, at: moment, isAwaited: isAwaited)
      }
      for connection in connections { connection.begin(announcement) }
      return announcement.isAnswerToEndSignal ? announcement : nil
    case .requestExit(let signal):
      engine.state.withLock { $0.makeExitRequest(for: signal) }.send()
    case .withdrawExitRequest:
      engine.state.withLock { $0.takeExitRequest() }?.withdraw()
    case .armStop(let requested):
      stopRequest = requested
      // A connection may have installed the handler, and not yet said so.
      if !unblocked.contains(.stop) { unblocked.append(.stop) }
      SignalThread.armStop()
      // A SIGCONT that arrived before this did not discard the stop; it is in the pipe.
      handle(.armed(isCancelled: findCancellation()))
    case .disarmStop:
      SignalThread.disarmStop()
    case .stop:
      stop()
    case .readTerminal(let moment):
      readTerminal(because: moment)
    case .hurry:
      engine.state.withLock { $0.hurry() }
    case .startGrace(let occasion):
      if occasion == .end { ProcessThread.isLeaving = true }
      ProcessTasks.withMachine { $0.startGrace(of: occasion, at: $1) }
    case .endGrace:
      ProcessTasks.withMachine { machine, _ in machine.endGrace() }
    case .reportOverrun:
      reportOverrun()
    case .die(let signal):
      ProcessThread.call(.willEnd)
      reportOtherReader(of: signal)
      flushOutput()
      SignalThread.die(signal.number)
    }
    return nil
  }

  private mutating func stop() {
    // A SIGCONT that is not handled yet takes the stop back. On Darwin, the kernel does not.
    if findCancellation() {
      SignalThread.disarmStop()
      handle(.resumed(at: cancellation ?? .now, engine.terminal.state))
      return
    }
    ProcessThread.isLeaving = true
    ProcessThread.call(.willStop)
    let resumed = SignalThread.stop()
    ProcessThread.isLeaving = false
    lastTerminal = engine.terminal.state
    ProcessThread.call(.didResume)
    handle(.resumed(at: resumed, lastTerminal))
  }

  /// Returns true if a SIGCONT came after the SIGTSTP that requested the stop, and is not handled
  /// yet.
  private mutating func findCancellation() -> Bool {
    readPipe()
    let continuation = inbox.first { $0.signal == .continue && $0.moment >= stopRequest }
    cancellation = continuation?.moment
    return continuation != nil
  }

  private mutating func readTerminal(because moment: SignalMoment?) {
    let state = engine.terminal.state
    if state != lastTerminal {
      lastTerminal = state
      ProcessThread.call(.terminal(state))
    }
    handle(.terminal(state, because: moment))
  }

  /// Writes out the buffer of standard output, which `print` shares with the C library, unless that
  /// takes too long.
  ///
  /// Another thread may hold the stream's lock, and the reader of a full pipe may never read it.
  /// Other streams are left alone: a thread that waits for a line of standard input holds the lock
  /// of that stream meanwhile.
  private func flushOutput() {
    DispatchQueue(label: "lifecycle.process-signals.output").perform(within: Self.outputTime) {
      lifecycle_flush_output()
    }
  }

  // MARK: Reports

  /// Passes the late observers to the closures of their sources.
  private func reportOverrun() {
    guard let awaited = engine.state.withLock({ $0.awaited }) else { return }
    let overruns = awaited.late.map { connection in
      let overrun = ProcessSignalSource.Overrun(
        kind: awaited.kind,
        deadline: awaited.timeout,
        observer: connection.feed.noteOverrun(of: awaited.kind)
      )
      return (overrun, connection.source.onOverrun)
    }
    reports.perform(within: Self.reportTime) {
      for (overrun, report) in overruns { report(overrun) }
    }
  }

  /// Reports another party of the program that observes the signal, and that the process does not
  /// wait for, at the line that made the first source.
  private func reportOtherReader(of signal: JobControlSignal) {
    let (isHurried, connections) = engine.state.withLock { state in
      (state.isHurried, state.connections.unsharedForSanitizer)
    }
    // The parties that have a task are waited for. A second signal ends the process at once.
    guard !isHurried, !ProcessTasks.withMachine({ machine, _ in machine.hasDelayedEnd }),
      let source = connections.map(\.source).first(where: { $0.taken.includes(signal) }),
      DispatchSignals.hasOtherReader(of: signal, within: .milliseconds(100))
    else { return }
    reports.perform(within: Self.reportTime) {
      source.site.report(
        """
        \(signal.name) ends the process without waiting for another party of the program that \
        observes the signal, such as a ServiceGroup that takes it, or a DispatchSourceSignal. Run \
        the services with runServices of LifecycleServices, for which the process waits, or create \
        this source with .processSignals(termination: .observe), so that the other party ends the \
        process.
        """
      )
    }
  }
}

// MARK: - Signals for other parties

/// Signals by which another party is to end the process, and requests to reload, which no bus had
/// accepted when they were handled.
///
/// Their former handlers receive them when the engine is closed.
struct UnacceptedSignals {
  /// Each with the announcement that a bus may have accepted since.
  private var entries: [(signal: JobControlSignal, announcement: SignalAnnouncement?)] = []

  /// The signals that no bus has accepted, for their former handlers.
  ///
  /// A request to reload is meant for a handler: by default, the signal would end the process.
  ///
  /// - Parameter isDefault: Returns true if a signal's former disposition is the default action.
  func signals(isDefault: (JobControlSignal) -> Bool) -> [JobControlSignal] {
    JobControlSignal.allCases.filter { signal in
      entries.contains {
        $0.signal == signal && $0.announcement?.isAccepted != true
          && ($0.announcement?.kind != .reloadRequest || !isDefault(signal))
      }
    }
  }

  /// Keeps a signal that is meant for another party if no bus has accepted it.
  ///
  /// Buses that have accepted one signal do not receive the next.
  ///
  /// - Parameters:
  ///   - signal: A signal that was handled.
  ///   - begun: The announcement that it has led to; nil if there is none.
  ///   - state: The state of the engine after that.
  mutating func check(
    _ signal: JobControlSignal,
    _ begun: SignalAnnouncement?,
    _ state: borrowing ProcessSignalEngine.State
  ) {
    if let begun, begun.kind == .reloadRequest {
      // A later request stands for the earlier ones.
      entries.removeAll { $0.signal == signal && $0.announcement?.kind == .reloadRequest }
      if !begun.isAccepted { entries.append((signal, begun)) }
      return
    }
    guard state.machine.termination == .observe, state.machine.signalOfExitRequest == nil else {
      return
    }
    if state.end?.isAccepted != true {
      entries.append((signal, state.end))
    } else if begun == nil, state.connections.isEmpty {
      entries.append((signal, nil))
    }
  }
}

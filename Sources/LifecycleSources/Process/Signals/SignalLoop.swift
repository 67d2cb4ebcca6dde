import CLifecycleShims
import DequeModule
import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// The engine's turn on the thread of the process: feeds records and deadlines to the machine, and
/// performs the machine's actions.
///
/// It runs no observer and no expiration handler, and waits for none.
struct SignalLoop: SignalHandlingLoop {
  /// The interval at which the terminal is read while the process runs in the background.
  private static let pollInterval = Duration.milliseconds(250)

  let engine: ProcessSignalEngine
  let reports = SignalReports()
  private let records: SignalRecords
  /// Signals that were read from the pipe and not yet handled.
  private(set) var inbox: Deque<(signal: JobControlSignal, moment: SignalMoment)> = []
  /// The instant of the next reading of the terminal; nil while no other process group has it.
  private var nextPoll: SuspendingClock.Instant?
  /// The moment at which the pending stop was requested.
  var stopRequest = SignalMoment.zero
  /// The instant, by the running time, since which only tasks are awaited; nil while that is not
  /// the case.
  private var waitForTasks: SuspendingClock.Instant?
  /// The state of the terminal at the last reading.
  var lastTerminal: TerminalState
  /// The moment of the last SIGCONT that took a stop back before it was announced.
  var cancellation: SignalMoment?
  private var unaccepted = UnacceptedSignals()
  /// A Boolean value that indicates whether the terminal does not stop the process.
  var ignoresTerminalStops = false
  /// The signals that this thread has unblocked, and does not unblock again.
  var unblocked: Set<JobControlSignal> = []
  /// A Boolean value that indicates whether records were taken after the state of the engine was
  /// read that a record may announce.
  private var hasTakenRecords = false

  init(engine: ProcessSignalEngine, records: SignalRecords) {
    self.engine = engine
    self.records = records
    lastTerminal = engine.state.withLock { $0.machine.terminal }
  }

  mutating func take(_ signals: [(signal: JobControlSignal, moment: SignalMoment)]) {
    inbox.append(contentsOf: signals)
  }

  mutating func end() {
    // Signals that arrived before this point are carried out, without observers, and without tasks,
    // whose ends are no longer noticed. Later signals act as they did before the engine existed,
    // and this thread unblocks no more of them.
    engine.signals.restore()
    unblocked.formUnion(engine.signals.installed)
    lifecycle_pipe_record(false)
    repeat {
      turn(waitsForTasks: false)
    } while !engine.state.withLock { $0.machine.isIdle }
    let signals = unaccepted.signals { SignalDisposition(current: $0).isDefault }
    for signal in signals { kill(getpid(), signal.number) }
  }

  func reportEnd() {
    engine.hasEnded.signal()
  }

  mutating func turn() {
    turn(waitsForTasks: true)
    // An engine that lost its last connection in the middle of something requests its removal as
    // soon as that is done.
    let isUnused = engine.state.withLock { state in
      !state.isClosing && state.connections.isEmpty && state.machine.isIdle
    }
    if isUnused { ProcessSignalEngine.removeSoon() }
  }

  /// - Parameter waitsForTasks: Whether a stop or the end waits for its tasks.
  private mutating func turn(waitsForTasks: Bool) {
    RunningTime.endWait()
    repeat {
      drain()
      hasTakenRecords = false
      unblockInstalled()
      handleInbox()
      checkQuestion()
      checkAwaited()
      checkTasks(waitsForTasks)
      if let nextPoll, SuspendingClock.now >= nextPoll {
        self.nextPoll = nil
        feed(.terminal(readTerminal(), because: nil))
      }
    } while hasTakenRecords
  }

  private mutating func handleInbox() {
    while let next = inbox.popFirst() {
      if next.signal == .continue, isUnrelatedContinuation(next.moment) {
        ProcessThread.call(.continued)
      }
      let begun = feed(.signal(next.signal, at: next.moment))
      if next.signal.isEnd { keepIfUnaccepted(next.signal, begun) }
    }
  }

  /// Unblocks the signals that a connection has added. The others stay as they are: the stop that
  /// is under way blocks its own.
  private mutating func unblockInstalled() {
    let added = engine.signals.installed.subtracting(unblocked)
    guard !added.isEmpty else { return }
    ThreadSignals.accept(added)
    unblocked.formUnion(added)
  }

  private mutating func keepIfUnaccepted(_ signal: JobControlSignal, _ begun: SignalAnnouncement?) {
    engine.state.withLock { unaccepted.check(signal, begun, $0) }
  }

  private mutating func checkQuestion() {
    let (question, signal) = engine.state.withLock { state in
      (state.question, state.machine.question?.signal)
    }
    guard let question, let signal else { return }
    let isTimeUp = question.isTimeUp(at: RunningTime.now)
    guard let isCancelled = question.answer ?? (isTimeUp ? question.isCancelledSoFar : nil)
    else { return }
    engine.state.withLock { $0.question = nil }
    let begun = feed(.exitAnswered(isCancelled: isCancelled, at: .now))
    if !isCancelled { keepIfUnaccepted(signal, begun) }
  }

  private mutating func checkAwaited() {
    let (awaited, deadline) = engine.state.withLock { ($0.awaited, $0.deadline) }
    let isTimeUp = deadline.map { RunningTime.now >= $0 } ?? false
    guard let awaited else {
      // Only tasks are awaited, and a second signal has hurried them.
      if isTimeUp { feed(.deadlinePassed) }
      return
    }
    if awaited.late.isEmpty {
      feed(.deliveriesFinished)
    } else if isTimeUp {
      feed(.deadlinePassed)
    } else {
      return
    }
    engine.state.withLock { state in
      if state.awaited === awaited { state.awaited = nil }
    }
  }

  private mutating func checkTasks(_ waits: Bool) {
    ProcessTasks.expire()
    guard engine.state.withLock({ $0.machine.awaitsTasks }) else {
      waitForTasks = nil
      return
    }
    let since = waitForTasks ?? RunningTime.now
    waitForTasks = since
    guard ProcessTasks.finish(waitingSince: since) || !waits else { return }
    waitForTasks = nil
    feed(.tasksFinished)
  }

  var isClosing: Bool { engine.state.withLock { $0.isClosing } }
}

// MARK: - Waiting

extension SignalLoop {
  mutating func nextDeadline() -> SuspendingClock.Instant? {
    let (needsPolling, deadline, question) = engine.state.withLock { state in
      (state.machine.needsPolling, state.deadline, state.question?.nextLimit)
    }
    nextPoll = needsPolling ? nextPoll ?? SuspendingClock.now + Self.pollInterval : nil
    let tasks = ProcessTasks.nextDeadline(waitingSince: waitForTasks)
    let wakeUp = RunningTime.beginWait(until: [deadline, question, tasks].compactMap { $0 }.min())
    return [wakeUp, nextPoll].compactMap { $0 }.min()
  }

  /// Moves the contents of the pipe to the inbox, and discards wake-ups.
  mutating func drain() {
    records.takeAll { inbox.append(($0, $1)) }
    hasTakenRecords = true
  }
}

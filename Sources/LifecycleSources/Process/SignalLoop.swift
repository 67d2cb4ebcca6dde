import CLifecycleShims
import DequeModule
import Dispatch
import LifecycleSupport
import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The engine's turn on the thread of the process: feeds records and deadlines to the machine, and
/// performs the machine's actions.
/// It runs no observer and no expiration
/// handler, and waits for none.
struct SignalLoop {
  /// The interval at which the terminal is read while the process runs in the background.
  private static let pollInterval = Duration.milliseconds(250)
  /// The time that observers have for `willTerminate` when another signal hurries them.
  ///
  /// Programs such as timeout(1) and systemd send two signals at once, and mean one.
  private static let leastTime = Duration.milliseconds(100)
  /// The time for which reports of an overrun may delay the stop or the end.
  private static let reportTime = DispatchTimeInterval.milliseconds(200)

  private let engine: ProcessSignalEngine
  private let records: SignalRecords
  private let reports = DispatchQueue(label: "lifecycle.process-signals.reports")
  /// Signals that were read from the pipe and not yet handled.
  private var inbox: Deque<(signal: JobControlSignal, moment: SignalMoment)> = []
  /// The instant of the next reading of the terminal; nil while no other process group has it.
  private var nextPoll: SuspendingClock.Instant?
  /// The moment at which the pending stop was requested.
  private var stopRequest = SignalMoment.zero
  /// The instant since which only tasks are awaited; nil while that is not the case.
  private var waitForTasks: SuspendingClock.Instant?
  /// The state of the terminal at the last reading.
  private var lastTerminal: TerminalState
  /// The moment of the last SIGCONT that took a stop back before it was announced.
  private var cancellation: SignalMoment?
  /// Signals by which another party is to end the process, and requests to reload, which no bus had
  /// accepted when they were handled, each with the announcement that a bus may have accepted
  /// since.
  private var unaccepted: [(signal: JobControlSignal, announcement: SignalAnnouncement?)] = []
  /// The signals that this thread does not block.
  private var unblocked: ProcessSignalSource.Signals = []

  init(engine: ProcessSignalEngine, records: SignalRecords) {
    self.engine = engine
    self.records = records
    lastTerminal = engine.state.withLock { $0.machine.terminal }
  }

  /// Adds signals that were read from the pipe.
  mutating func take(_ signals: [(signal: JobControlSignal, moment: SignalMoment)]) {
    inbox.append(contentsOf: signals)
  }

  /// Restores the former dispositions. Call this method once the engine is closed.
  mutating func end() {
    // Signals that arrived before this point are carried out, without observers, and without tasks,
    // whose ends are no longer noticed. Later signals act as they did before the engine existed.
    engine.signals.restore()
    lifecycle_pipe_record(false)
    repeat { turn(waitsForTasks: false) } while !engine.state.withLock { $0.machine.isIdle }
    let rest = unaccepted.filter { $0.announcement?.isAccepted != true }.map(\.signal)
    for signal in Set(rest) { kill(getpid(), signal.number) }
  }

  /// Lets the party that closed the engine continue.
  func reportEnd() {
    engine.hasEnded.signal()
  }

  /// Handles everything that has happened.
  ///
  /// - Parameters:
  ///   - waitsForTasks: Whether a stop or the end waits for its tasks.
  ///   - wasStopped: Whether the process was stopped during the wait before this.
  mutating func turn(waitsForTasks: Bool = true, wasStopped: Bool = false) {
    var wasStopped = wasStopped
    unblockInstalled()
    drain()
    while let next = inbox.popFirst() {
      if isUnrelatedContinuation(next.signal, next.moment) {
        ProcessThread.call(.continued(wasStopped: wasStopped))
        // Another SIGCONT that was read along with it has continued nothing.
        wasStopped = false
      }
      let begun = feed(.signal(next.signal, at: next.moment))
      if next.signal.isEnd { checkAccepted(next.signal, begun) }
    }
    checkQuestion()
    checkAwaited()
    checkTasks(waitsForTasks)
    if let nextPoll, SuspendingClock.now >= nextPoll {
      self.nextPoll = nil
      feed(.terminal(readTerminal(), because: nil))
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

  /// Keeps a signal that is meant for another party if no bus has accepted it.
  ///
  /// Its former handler receives it when the engine is closed. Buses that have accepted one signal
  /// do not receive the next.
  ///
  /// - Parameter begun: The announcement that the signal has led to; nil if there is none.
  private mutating func checkAccepted(_ signal: JobControlSignal, _ begun: SignalAnnouncement?) {
    if let begun, begun.kind == .reload {
      if !begun.isAccepted { unaccepted.append((signal, begun)) }
      return
    }
    let (isObserved, isAsked, hasConnections, end) = engine.state.withLock { state in
      (
        state.machine.termination == .observe, state.machine.question != nil,
        !state.connections.isEmpty, state.end
      )
    }
    guard isObserved, !isAsked else { return }
    if end?.isAccepted != true {
      unaccepted.append((signal, end))
    } else if begun == nil, !hasConnections {
      unaccepted.append((signal, nil))
    }
  }

  private mutating func checkQuestion() {
    let (question, signal) = engine.state.withLock { state in
      (state.question, state.machine.question?.signal)
    }
    guard let question, let signal else { return }
    let isTimeUp = SuspendingClock.now >= question.limit
    guard let isCancelled = question.answer ?? (isTimeUp ? question.isCancelledSoFar : nil)
    else { return }
    engine.state.withLock { $0.question = nil }
    let begun = feed(.exitAnswered(isCancelled: isCancelled, at: .now))
    if !isCancelled { checkAccepted(signal, begun) }
  }

  private mutating func checkAwaited() {
    let (awaited, deadline) = engine.state.withLock { ($0.awaited, $0.deadline) }
    let isTimeUp = deadline.map { SuspendingClock.now >= $0 } ?? false
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
    let since = waitForTasks ?? .now
    waitForTasks = since
    guard ProcessTasks.finish(waitingSince: since) || !waits else { return }
    waitForTasks = nil
    feed(.tasksFinished)
  }

  /// A Boolean value that indicates whether the engine is to be removed.
  ///
  /// An engine that lost its last connection in the middle of something requests its removal as
  /// soon as that is done.
  var isClosing: Bool {
    let (isClosing, isUnused) = engine.state.withLock { state in
      (state.isClosing, state.connections.isEmpty && state.machine.isIdle)
    }
    if isUnused, !isClosing { ProcessSignalEngine.removeSoon() }
    return isClosing
  }
}

// MARK: - Waiting

extension SignalLoop {
  /// Returns the next instant at which a turn is due even if there is no record; nil if there is
  /// none.
  mutating func nextDeadline() -> SuspendingClock.Instant? {
    let (needsPolling, deadline, question) = engine.state.withLock { state in
      (state.machine.needsPolling, state.deadline, state.question?.limit)
    }
    nextPoll = needsPolling ? nextPoll ?? SuspendingClock.now + Self.pollInterval : nil
    let tasks = ProcessTasks.nextDeadline(waitingSince: waitForTasks)
    return [deadline, question, nextPoll, tasks].compactMap { $0 }.min()
  }

  /// Moves the contents of the pipe to the inbox.
  private mutating func drain() {
    records.takeAll { inbox.append(($0, $1)) }
  }
}

// MARK: - Performing

extension SignalLoop {
  /// An action of the machine, bound in the same critical section to the connections that it
  /// concerns.
  private enum Order {
    case begin(SignalAnnouncement, [SignalConnection])
    case ask(SignalQuestion)
    case withdraw(SignalQuestion)
    case perform(JobControlAction)
  }

  /// Feeds the machine, and performs its actions, until it has no more.
  ///
  /// - Returns: The announcement of the end, or of a request to reload, that was begun.
  @discardableResult
  private mutating func feed(_ first: JobControlInput) -> SignalAnnouncement? {
    var inputs: Deque = [first]
    var begun: SignalAnnouncement?
    while let input = inputs.popFirst() {
      let orders = engine.state.withLock { state in
        state.machine.handle(input).map { bind($0, &state) }
      }
      for order in orders {
        switch order {
        case .begin(let announcement, let connections):
          if announcement.kind.isRequest { begun = announcement }
          for connection in connections { connection.begin(announcement) }
        case .ask(let question):
          question.ask()
        case .withdraw(let question):
          question.withdraw()
        case .perform(let action):
          if let answer = perform(action) { inputs.append(answer) }
        }
      }
    }
    return begun
  }

  private func bind(_ action: JobControlAction, _ state: inout ProcessSignalEngine.State) -> Order {
    if case .ask(let signal) = action { return .ask(beginQuestion(signal, &state)) }
    if action == .stopAsking, let question = state.question.take() { return .withdraw(question) }
    guard case .announce(let kind, let signal, let moment, let isAwaited) = action else {
      return .perform(action)
    }
    let announcement = SignalAnnouncement(
      kind,
      signal: signal,
      moment: moment,
      timeout: isAwaited ? state.connections.map(\.source.deadline).max() ?? .zero : nil
    )
    for connection in state.connections { announcement.expect(connection) }
    if isAwaited { state.awaited = announcement }
    if kind == .termination { state.end = announcement }
    return .begin(announcement, state.connections)
  }

  private func beginQuestion(
    _ signal: JobControlSignal,
    _ state: inout ProcessSignalEngine.State
  ) -> SignalQuestion {
    let timeout = state.connections.compactMap(\.source.termination.timeToAsk).max() ?? .zero
    let question = SignalQuestion(signal, state.connections, timeout: timeout)
    state.question = question
    return question
  }

  /// Performs an action, and returns the machine's next input if the action has an answer.
  private mutating func perform(_ action: JobControlAction) -> JobControlInput? {
    switch action {
    case .announce, .ask, .stopAsking:
      return nil
    case .armStop(let requested):
      stopRequest = requested
      ThreadSignals.armStop()
      // A SIGCONT that arrived before this did not discard the stop; it is in the pipe.
      return .armed(isCancelled: isTakenBack())
    case .disarmStop:
      ThreadSignals.disarmStop()
      return nil
    case .stop:
      #if canImport(Darwin)
        // On Darwin, a SIGCONT does not discard the stop unless this thread handles it.
        if isTakenBack() {
          ThreadSignals.disarmStop()
          return .resumed(at: .now, engine.terminal.state)
        }
      #endif
      return stop()
    case .readTerminal(let moment):
      return .terminal(readTerminal(), because: moment)
    case .hurry:
      engine.state.withLock { state in
        state.hurriedDeadline = state.end.map { $0.begun + Self.leastTime }
      }
      return nil
    case .startGrace(let occasion):
      ProcessTasks.startGrace(of: occasion)
      return nil
    case .endGrace:
      ProcessTasks.endGrace()
      return nil
    case .reportOverrun:
      reportOverrun()
      return nil
    case .die(let signal):
      ProcessThread.call(.willEnd)
      reportRivalParty(of: signal)
      StandardOutput.flush()
      ThreadSignals.die(signal.number)
    }
  }

  private mutating func stop() -> JobControlInput {
    ProcessThread.call(.willStop)
    let resumed = ThreadSignals.stop()
    lastTerminal = engine.terminal.state
    ProcessThread.call(.didResume)
    return .resumed(at: resumed, lastTerminal)
  }

  private mutating func readTerminal() -> TerminalState {
    let state = engine.terminal.state
    if state != lastTerminal {
      lastTerminal = state
      ProcessThread.call(.terminal(state))
    }
    return state
  }

  /// Returns true if a SIGCONT was recorded after the SIGTSTP that requested the stop, and is not
  /// handled yet.
  private mutating func isTakenBack() -> Bool {
    drain()
    let continuation = inbox.first { $0.signal == .continue && $0.moment >= stopRequest }
    cancellation = continuation?.moment
    return continuation != nil
  }

  /// Returns true for a SIGCONT that neither takes a stop back nor continues the process after one.
  private func isUnrelatedContinuation(_ signal: JobControlSignal, _ moment: SignalMoment) -> Bool {
    signal == .continue && moment != cancellation
      && engine.state.withLock { !$0.machine.isStopping }
  }

  /// Passes the late observers to the closures of their sources.
  private func reportOverrun() {
    guard let awaited = engine.state.withLock({ $0.awaited }) else { return }
    let overruns = awaited.late.map { connection in
      let overrun = ProcessSignalSource.Overrun(
        kind: awaited.eventKind,
        deadline: awaited.timeout,
        observer: connection.input.runningObserver
      )
      return (overrun, connection.source.onOverrun)
    }
    report {
      for (overrun, report) in overruns { report(overrun) }
    }
  }

  /// Reports another party that the process does not wait for, at the line of the first source.
  private func reportRivalParty(of signal: JobControlSignal) {
    let (isHurried, connections) = engine.state.withLock { state in
      (state.hurriedDeadline != nil, state.connections)
    }
    // The parties that have a task are waited for. A second signal ends the process at once.
    guard !isHurried, !ProcessTasks.hasDelayedEnd,
      let source = connections.map(\.source).first(where: { $0.taken.includes(signal) }),
      RivalParty.observes(signal)
    else { return }
    report { source.reportRivalParty(of: signal) }
  }

  /// Calls a closure that reports, and waits for it.
  ///
  /// The closure gets a moment, because the process may be about to end, but no more, because the
  /// process must not hang.
  private func report(_ body: @escaping @Sendable () -> Void) {
    let reported = DispatchSemaphore(value: 0)
    reports.async {
      body()
      reported.signal()
    }
    _ = reported.wait(timeout: .now() + Self.reportTime)
  }
}

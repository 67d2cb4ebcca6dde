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

/// What the engine's thread does: waits for records and deadlines, feeds the machine, and performs
/// its actions. It runs no observer and no expiration handler, and waits for none.
struct SignalLoop {
  /// How often the terminal is read while the process runs in the background.
  private static let pollInterval = Duration.milliseconds(250)
  /// How long observers have for `willTerminate` when another signal hurries them. Programs such as
  /// timeout(1) and systemd send two signals at once, and mean one.
  private static let leastTime = Duration.milliseconds(100)
  /// How long reports of an overrun may hold up the stop or the end.
  private static let reportTime = DispatchTimeInterval.milliseconds(200)

  private let engine: ProcessSignalEngine
  private let records: SignalRecords
  private let dispositions: JobControlDispositions
  private let ends: DispatchSignals
  private let reports = DispatchQueue(label: "lifecycle.process-signals.reports")
  /// Signals that were read from the pipe and not yet handled.
  private var inbox: Deque<(signal: JobControlSignal, moment: SignalMoment)> = []
  /// When the terminal is to be read next; nil while nobody else has it.
  private var nextPoll: SuspendingClock.Instant?
  /// When the stop that is pending was asked for.
  private var stopRequest = SignalMoment.zero
  /// Since when nothing but tasks is waited for; nil while that is not so.
  private var waitForTasks: SuspendingClock.Instant?
  /// Signals that somebody else is to end the process by, and no bus had accepted when they were
  /// handled, with the announcements that a bus may have accepted since.
  private var unaccepted: [(signal: JobControlSignal, announcement: SignalAnnouncement?)] = []

  init(
    engine: ProcessSignalEngine,
    records: SignalRecords,
    dispositions: JobControlDispositions,
    ends: DispatchSignals
  ) {
    self.engine = engine
    self.records = records
    self.dispositions = dispositions
    self.ends = ends
  }

  /// Runs until the engine is closed, and restores what was there before it.
  mutating func run() {
    while !isClosing {
      schedulePoll()
      wait()
      turn()
    }
    // Signals that came before this are carried out, without observers, and without tasks, whose ends
    // nobody hears any more; later ones act as they did before the engine was there.
    dispositions.restore()
    ends.cancel()
    lifecycle_pipe_detach()
    repeat { turn(waitsForTasks: false) } while !engine.state.withLock { $0.machine.isIdle }
    let rest = unaccepted.filter { $0.announcement?.isAccepted != true }.map(\.signal)
    for signal in Set(rest) { kill(getpid(), signal.number) }
  }

  /// Handles all that has happened.
  private mutating func turn(waitsForTasks: Bool = true) {
    drain()
    while let next = inbox.popFirst() {
      let isEnd = next.signal.isEnd
      let earlierEnd = isEnd ? engine.state.withLock { $0.end } : nil
      feed(.signal(next.signal, at: next.moment))
      if isEnd { checkAccepted(next.signal, after: earlierEnd) }
    }
    checkAwaited()
    checkTasks(waitsForTasks)
    if let nextPoll, SuspendingClock.now >= nextPoll {
      self.nextPoll = nil
      feed(.terminal(engine.terminal.state, because: nil))
    }
  }

  /// Keeps a signal that is for somebody else if no bus has accepted it: its former handler is to get
  /// it when the engine is closed. Buses that have accepted one don't get the next.
  ///
  /// - Parameter earlierEnd: What had been announced before the signal was handled.
  private mutating func checkAccepted(
    _ signal: JobControlSignal,
    after earlierEnd: SignalAnnouncement?
  ) {
    let (isObserved, hasConnections, end) = engine.state.withLock { state in
      (state.machine.termination == .observe, !state.connections.isEmpty, state.end)
    }
    guard isObserved else { return }
    if end?.isAccepted != true {
      unaccepted.append((signal, end))
    } else if end === earlierEnd, !hasConnections {
      unaccepted.append((signal, nil))
    }
  }

  private mutating func checkAwaited() {
    let (awaited, deadline) = engine.state.withLock { ($0.awaited, $0.deadline) }
    let isTimeUp = deadline.map { SuspendingClock.now >= $0 } ?? false
    guard let awaited else {
      // Tasks alone are waited for, and a second signal has hurried them.
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

  /// Whether the engine is to be removed. One that lost its last connection in the middle of
  /// something asks for it as soon as that is done.
  private var isClosing: Bool {
    let (isClosing, isUnused) = engine.state.withLock { state in
      (state.isClosing, state.connections.isEmpty && state.machine.isIdle)
    }
    if isUnused, !isClosing { ProcessSignalEngine.removeSoon() }
    return isClosing
  }
}

// MARK: - Waiting

extension SignalLoop {
  private mutating func schedulePoll() {
    let needsPolling = engine.state.withLock { $0.machine.needsPolling }
    nextPoll = needsPolling ? nextPoll ?? SuspendingClock.now + Self.pollInterval : nil
  }

  /// Waits for a record, a deadline or the next look at the terminal. Without the latter two it does
  /// not wake up by itself.
  private func wait() {
    let deadline = engine.state.withLock { $0.deadline }
    let tasks = ProcessTasks.nextDeadline(waitingSince: waitForTasks)
    let next = [deadline, nextPoll, tasks].compactMap { $0 }.min()
    var entry = pollfd(fd: records.reader, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, next.map { Self.milliseconds(until: $0) } ?? -1)
  }

  /// Rounded up, so that the instant has come when the time is over.
  private static func milliseconds(until instant: SuspendingClock.Instant) -> Int32 {
    let milliseconds = (instant - SuspendingClock.now) / .milliseconds(1)
    return Int32(clamping: Int(max(0, min(milliseconds.rounded(.up), 1e9))))
  }

  /// Moves what is in the pipe to the inbox.
  private mutating func drain() {
    records.takeAll { inbox.append(($0, $1)) }
  }
}

// MARK: - Performing

extension SignalLoop {
  /// An action of the machine, bound to the connections that it concerns in the same critical
  /// section.
  private enum Order {
    case begin(SignalAnnouncement, [SignalConnection])
    case perform(JobControlAction)
  }

  private mutating func feed(_ first: JobControlInput) {
    var inputs: Deque = [first]
    while let input = inputs.popFirst() {
      let orders = engine.state.withLock { state in
        state.machine.handle(input).map { bind($0, &state) }
      }
      for order in orders {
        switch order {
        case .begin(let announcement, let connections):
          for connection in connections { connection.begin(announcement) }
        case .perform(let action):
          if let answer = perform(action) { inputs.append(answer) }
        }
      }
    }
  }

  private func bind(_ action: JobControlAction, _ state: inout ProcessSignalEngine.State) -> Order {
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

  /// Performs an action. Returns the machine's next input, if the action has an answer.
  private mutating func perform(_ action: JobControlAction) -> JobControlInput? {
    switch action {
    case .announce:
      return nil
    case .armStop(let requested):
      stopRequest = requested
      ThreadSignals.armStop()
      // A SIGCONT that came before this did not discard the stop; it is in the pipe.
      return .armed(isCancelled: isTakenBack())
    case .disarmStop:
      ThreadSignals.disarmStop()
      return nil
    case .stop:
      #if canImport(Darwin)
        // There a SIGCONT does not discard the stop, unless this thread handles it.
        if isTakenBack() {
          ThreadSignals.disarmStop()
          return .resumed(at: .now, engine.terminal.state)
        }
      #endif
      let resumed = ThreadSignals.stop()
      return .resumed(at: resumed, engine.terminal.state)
    case .readTerminal(let moment):
      return .terminal(engine.terminal.state, because: moment)
    case .hurry:
      engine.state.withLock { state in
        state.hurriedDeadline = state.end.map { $0.begun + Self.leastTime }
      }
      return nil
    case .startGrace:
      ProcessTasks.startGrace()
      return nil
    case .endGrace:
      ProcessTasks.endGrace()
      return nil
    case .reportOverrun:
      reportOverrun()
      return nil
    case .die(let signal):
      ThreadSignals.die(signal.number)
    }
  }

  /// Whether a SIGCONT was recorded after the SIGTSTP that asked for the stop, and not handled yet.
  private mutating func isTakenBack() -> Bool {
    drain()
    return inbox.contains { $0.signal == .continue && $0.moment >= stopRequest }
  }

  /// Hands the late observers to those who want to know. They get a moment, because the process may
  /// be about to die; no more, because it must not hang.
  private func reportOverrun() {
    guard let awaited = engine.state.withLock({ $0.awaited }) else { return }
    let reported = DispatchSemaphore(value: 0)
    let overruns = awaited.late.map { connection in
      let overrun = ProcessSignalSource.Overrun(
        kind: awaited.eventKind,
        deadline: awaited.timeout,
        observer: connection.input.runningObserver
      )
      return (overrun, connection.source.onOverrun)
    }
    reports.async {
      for (overrun, report) in overruns { report(overrun) }
      reported.signal()
    }
    _ = reported.wait(timeout: .now() + Self.reportTime)
  }
}

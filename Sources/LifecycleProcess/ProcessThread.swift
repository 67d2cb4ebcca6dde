import CLifecycleShims
import Dispatch
import LifecycleSupport

// MARK: - Clients

/// A client of the thread of the process, such as a source that waits for a descriptor.
///
/// Its members are called on that thread, one at a time, while the watch is added. They run no user
/// code and wait for nothing: a bus is fed by the form of `send` that takes a completion, which
/// delivers elsewhere.
package protocol ProcessWatch: AnyObject, Sendable {
  /// The descriptor and the deadline to wait for; read before each wait.
  ///
  /// What changes on another thread takes effect by `ProcessThread.wake()`.
  var interest: ProcessWatchInterest { get }

  /// Handles what has happened.
  func handle(_ moment: ProcessWatchMoment)
}

/// The conditions on which the thread of the process calls a watch.
package struct ProcessWatchInterest: Sendable {
  /// The descriptor to poll; nil for none.
  package var descriptor: Int32?
  /// The events of poll(2) to wait for. `POLLERR` and `POLLHUP` are always reported, and until the
  /// watch gives up the descriptor, at once again.
  package var events: Int16
  /// The instant at which to call the watch; nil for none.
  package var deadline: SuspendingClock.Instant?

  package init(
    descriptor: Int32? = nil,
    events: Int16 = 0,
    deadline: SuspendingClock.Instant? = nil
  ) {
    self.descriptor = descriptor
    self.events = events
    self.deadline = deadline
  }
}

/// An occasion on which the thread of the process calls a watch.
///
/// All but `ready` and `deadline` occur only while a bus is connected to the process's signals.
package enum ProcessWatchMoment: Hashable, Sendable {
  /// Poll(2) returned these events for the descriptor.
  case ready(Int16)
  /// The deadline has passed.
  case deadline
  /// The process stops as soon as all watches have returned; observers and tasks are done.
  case willStop
  /// The process continues after that stop. Observers have not been notified.
  case didResume
  /// A signal ends the process as soon as all watches have returned; observers and tasks are done.
  /// Not called if another party ends the process.
  case willEnd
  /// A `SIGCONT` was sent that continued no stop of the engine: after a `SIGSTOP`, or to a process
  /// that was running. The signal does not show which.
  case continued
  /// A reading of the terminal differs from the one before. In the background, the terminal is read
  /// four times a second.
  case terminal(ControllingTerminal.State)
}

/// The client of the thread that handles the signals there: the engine of the process's signals.
protocol SignalHandling: AnyObject, Sendable {
  /// Makes the part that only the thread uses, with the signals that came before. Called on the
  /// thread, once.
  func makeLoop(_ pipe: SignalPipe, _ early: [SignalPipe.Signal]) -> any SignalHandlingLoop
}

/// The part of such a client that only the thread uses.
protocol SignalHandlingLoop {
  /// A Boolean value that indicates whether the client is to be removed.
  var isClosing: Bool { get }

  /// Handles everything that has happened.
  mutating func turn()

  /// Returns the next instant at which a turn is due even if there is no message; nil if there is
  /// none.
  mutating func nextDeadline() -> SuspendingClock.Instant?

  /// Restores the former dispositions, and lets the party that closed the client continue. Called
  /// once the client is closed.
  mutating func end()
}

/// The clients of the thread of the process, as several threads see them.
struct ProcessThreadClients: Sendable {
  fileprivate(set) var watches: [any ProcessWatch] = []
  /// The client that handles signals, also once it has ended, until it is released. Without one, a
  /// signal in the pipe belongs to the handler that is installed now.
  fileprivate var signals: (any SignalHandling)?
  /// A Boolean value that indicates whether the process is stopping, or a signal is ending it.
  fileprivate var isLeaving = false
  /// A Boolean value that indicates whether the last client has left, and the thread is to return.
  fileprivate var isClosing = false
  /// The watch that is being called, and those who wait for the end of the call.
  private var running: ObjectIdentifier?
  private(set) var waiters: [DispatchSemaphore] = []

  /// Removes a watch, and returns what is to be waited for, and what is to be released without the
  /// lock.
  fileprivate mutating func remove(
    _ watch: any ProcessWatch,
    waits: Bool
  ) -> (DispatchSemaphore?, [any ProcessWatch]) {
    let old = watches
    watches.removeAll { $0 === watch }
    guard waits, running == ObjectIdentifier(watch) else { return (nil, old) }
    let finished = DispatchSemaphore(value: 0)
    waiters.append(finished)
    return (finished, old)
  }

  /// Returns true, permanently, if there is no client.
  fileprivate mutating func beginClosing() -> Bool {
    isClosing = watches.isEmpty && signals == nil
    return isClosing
  }

  /// Begins the call of a watch; returns false if it is not added.
  fileprivate mutating func beginCall(of watch: any ProcessWatch) -> Bool {
    guard watches.contains(where: { $0 === watch }) else { return false }
    running = ObjectIdentifier(watch)
    return true
  }

  /// Ends the call, and returns those who wait for it.
  fileprivate mutating func endCall() -> [DispatchSemaphore] {
    defer { waiters = [] }
    running = nil
    return waiters
  }
}

// MARK: - Thread

/// The one thread on which this process waits for the operating system.
///
/// It serves the engine of the process's signals and any number of watches. The first of them
/// starts it, and it ends with the last one. Watches alone install no signal handler.
///
/// `current` is held while the thread is started or ended, and is never taken by the thread, which
/// may therefore be waited for. `clients` is held briefly, by any thread.
package enum ProcessThread {
  private static let current = Locked<(thread: SignalThread, pipe: SignalPipe)?>(nil)
  private static let clients = Locked(ProcessThreadClients())

  /// A Boolean value that indicates whether this process is a child by fork(2) of one that had the
  /// thread. It has none, and can't use what it shares with its parent.
  package static var isForkedChild: Bool { lifecycle_is_forked_child() }

  /// A Boolean value that indicates whether the process is stopping, or a signal is ending it.
  /// Thread-safe.
  ///
  /// A watch may not have been called for that if this is true after it was added. If the process
  /// continues after a stop, it is called.
  package internal(set) static var isLeaving: Bool {
    get { clients.withLock { $0.isLeaving } }
    set { clients.withLock { $0.isLeaving = newValue } }
  }

  /// Adds a watch, after starting the thread if there is none. Thread-safe; not to be called on the
  /// thread itself.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of descriptors or threads.
  package static func add(_ watch: any ProcessWatch) throws(ProcessSignalSource.StartError) {
    try start { $0.watches.append(watch) }
  }

  /// Removes a watch. When this method has returned, the watch is no longer called; on the
  /// thread itself, apart from the call that is under way. Thread-safe. Has no effect if the watch
  /// was removed before.
  package static func remove(_ watch: any ProcessWatch) {
    guard !isForkedChild else { return }
    let isOnThread = SignalThread.isCurrent
    let finished = clients.withLockDiscarding { $0.remove(watch, waits: !isOnThread) }
    if isOnThread {
      DispatchQueue.global().async { endIfUnused() }
    } else {
      wake()
      finished?.wait()
      endIfUnused()
    }
  }

  /// Makes the thread read the interests of its watches again. Thread-safe.
  package static func wake() {
    lifecycle_pipe_post(0)
  }

  /// Accepts signals from now on, which the client handles.
  static func handOver(_ signals: any SignalHandling) throws {
    try start { $0.signals = signals }
    lifecycle_pipe_accept_signals(true)
  }

  /// Ends what `handOver` has begun. Signals that were accepted and not handled are sent again. The
  /// former handlers are restored before this call.
  static func releaseSignals() {
    lifecycle_pipe_accept_signals(false)
    clients.discard { $0.signals.take() }
    wake()
    endIfUnused()
  }

  /// Calls all watches.
  static func call(_ moment: ProcessWatchMoment) {
    for watch in snapshot.watches { call(watch, moment) }
  }

  /// The clients at this moment.
  static var snapshot: ProcessThreadClients {
    clients.withLock { clients in
      var snapshot = clients
      snapshot.watches = clients.watches.unsharedForSanitizer
      return snapshot
    }
  }

  /// Calls a watch, unless another thread has removed it.
  fileprivate static func call(_ watch: any ProcessWatch, _ moment: ProcessWatchMoment) {
    guard clients.withLock({ $0.beginCall(of: watch) }) else { return }
    watch.handle(moment)
    for waiter in clients.withLock({ $0.endCall() }) { waiter.signal() }
  }

  private static func start(
    _ join: (inout ProcessThreadClients) -> Void
  ) throws(ProcessSignalSource.StartError) {
    guard !isForkedChild else { throw .init(step: .thread, errno: ENOTSUP) }
    try current.withLock { current throws(ProcessSignalSource.StartError) in
      if current == nil {
        let pipe = try SignalPipe()
        do throws(ProcessSignalSource.StartError) {
          let thread = try SignalThread(named: "lifecycle") {
            var loop = ProcessThreadLoop(pipe: pipe)
            loop.run()
          }
          current = (thread, pipe)
        } catch {
          pipe.close()
          throw error
        }
      }
      clients.withLock { join(&$0) }
    }
    wake()
  }

  private static func endIfUnused() {
    current.withLock { current in
      guard let (thread, pipe) = current, clients.withLock({ $0.beginClosing() }) else { return }
      wake()
      thread.join()
      pipe.close()
      clients.withLock { $0.isClosing = false }
      current = nil
    }
  }
}

// MARK: - Loop

/// The loop of the process's thread: waits for messages, for the descriptors of watches and for
/// deadlines, and calls those that they concern.
///
/// With the engine of the process's signals alone, it polls one descriptor. It never wakes up by
/// itself unless a client has asked for that.
private struct ProcessThreadLoop {
  private let pipe: SignalPipe
  private var signals: (any SignalHandlingLoop)?
  /// The client of the signals that was handed over last; kept when it has ended.
  private var client: (any SignalHandling)?
  /// Signals that came before the loop that handles them was there.
  private var early: [SignalPipe.Signal] = []

  init(pipe: SignalPipe) {
    self.pipe = pipe
  }

  /// Runs until the last client has left.
  mutating func run() {
    while true {
      // First the messages, then the clients: a message that is taken after them may be the wake-up
      // for a change that they do not show.
      if signals == nil { early += pipe.takeAll() }
      let clients = ProcessThread.snapshot
      if clients.isClosing { early += pipe.takeAll() }
      if update(clients.signals) { continue }
      if clients.isClosing { return }
      if signals?.isClosing == true {
        signals?.end()
        signals = nil
      } else {
        turn(clients.watches)
      }
    }
  }

  /// - Returns: True if messages were taken: the clients may have changed.
  private mutating func update(_ client: (any SignalHandling)?) -> Bool {
    guard client !== self.client || client == nil else { return false }
    self.client = client
    defer { early = [] }
    guard let client else {
      for signal in JobControlSignal.allCases where signal != .continue {
        if early.contains(where: { $0.signal == signal }) { kill(getpid(), signal.number) }
      }
      return false
    }
    signals = client.makeLoop(pipe, early)
    // Nothing else wakes the thread for signals that have been read.
    signals?.turn()
    return true
  }

  /// Waits once, and handles what has happened.
  private mutating func turn(_ watches: [any ProcessWatch]) {
    let interests = watches.map(\.interest)
    let results = wait(for: interests)
    signals?.turn()
    for (index, watch) in watches.enumerated() {
      if results[index] != 0 { ProcessThread.call(watch, .ready(results[index])) }
      if let deadline = interests[index].deadline, SuspendingClock.now >= deadline {
        ProcessThread.call(watch, .deadline)
      }
    }
  }

  /// Waits for a message, a descriptor or a deadline.
  ///
  /// - Returns: The events of each interest's descriptor, and last those of the messages.
  private mutating func wait(for interests: [ProcessWatchInterest]) -> [Int16] {
    var entries: [pollfd] = []
    var next = signals?.nextDeadline()
    for interest in interests {
      // A negative descriptor is skipped.
      entries.append(pollfd(fd: interest.descriptor ?? -1, events: interest.events, revents: 0))
      next = earlier(next, interest.deadline)
    }
    entries.append(pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0))
    let timeout = next.map { Self.milliseconds(until: $0) } ?? -1
    let count = poll(&entries, nfds_t(entries.count), timeout)
    return entries.map { count > 0 ? $0.revents : 0 }
  }

  /// Returns the time until an instant, rounded up so that the instant has come when the time has
  /// passed.
  private static func milliseconds(until instant: SuspendingClock.Instant) -> Int32 {
    let milliseconds = (instant - SuspendingClock.now) / .milliseconds(1)
    return Int32(clamping: Int(max(0, min(milliseconds.rounded(.up), 1e9))))
  }
}

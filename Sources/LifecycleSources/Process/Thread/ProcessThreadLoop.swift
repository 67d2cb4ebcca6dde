import LifecycleSupport

/// The loop of the process's thread: waits for records, for the descriptors of watches and for
/// deadlines, and calls those that they concern.
///
/// With the engine of the process's signals alone, it polls one descriptor. It never wakes up by
/// itself unless a client has asked for that.
struct ProcessThreadLoop {
  private let records: SignalRecords
  private var signals: (any SignalHandlingLoop)?
  /// The engine that was handed over last; kept when it has ended.
  private var engine: (any SignalHandling)?
  /// Signals that were recorded before the loop that handles them was there.
  private var early: [(signal: JobControlSignal, moment: SignalMoment)] = []

  init(records: SignalRecords) {
    self.records = records
  }

  /// Runs until the last client has left.
  mutating func run() {
    while true {
      // First the records, then the clients: a record that is taken after them may be the wake-up
      // for a change that they do not show.
      if signals == nil { keepRecords() }
      let clients = ProcessThread.snapshot
      if clients.isClosing { keepRecords() }
      if handle(clients.signals) { continue }
      if clients.isClosing { return }
      if signals?.isClosing == true {
        endSignals()
      } else {
        turn(clients.watches)
      }
    }
  }

  /// Waits once, and handles what has happened.
  private mutating func turn(_ watches: [any ProcessWatch]) {
    let interests = watches.map { ($0, $0.interest) }
    let results = wait(for: interests.map(\.1))
    signals?.turn()
    for ((watch, interest), result) in zip(interests, results) {
      if result != 0 { ProcessThread.call(watch, .ready(result)) }
      if let deadline = interest.deadline, SuspendingClock.now >= deadline {
        ProcessThread.call(watch, .deadline)
      }
    }
  }
}

// MARK: - Signals

extension ProcessThreadLoop {
  /// - Returns: True if records were taken: the clients may have changed.
  private mutating func handle(_ state: ProcessThreadClients.Signals) -> Bool {
    switch state {
    case .none:
      for signal in Set(early.map(\.signal)) where signal != .continue {
        kill(getpid(), signal.number)
      }
      early = []
      engine = nil
      return false
    case .expected:
      return false
    case .handedOver(let engine):
      guard engine !== self.engine else { return false }
      self.engine = engine
      signals = engine.makeLoop(records)
      signals?.take(early)
      early = []
      // Nothing else wakes the thread for signals that have been read.
      signals?.turn()
      return true
    }
  }

  private mutating func keepRecords() {
    records.takeAll { early.append(($0, $1)) }
  }

  private mutating func endSignals() {
    signals?.end()
    ThreadSignals.blockAll()
    let ended = signals.take()
    ended?.reportEnd()
  }
}

// MARK: - Waiting

extension ProcessThreadLoop {
  /// Waits for a record, a descriptor or a deadline.
  ///
  /// - Returns: The events of each interest's descriptor.
  private mutating func wait(for interests: [ProcessWatchInterest]) -> [Int16] {
    let deadlines = interests.map(\.deadline) + [signals?.nextDeadline()]
    var entries = interests.map { interest in
      // A negative descriptor is skipped.
      pollfd(fd: interest.descriptor ?? -1, events: interest.events, revents: 0)
    }
    entries.append(pollfd(fd: records.reader, events: Int16(POLLIN), revents: 0))
    let next = deadlines.compactMap { $0 }.min()
    let timeout = next.map { Self.milliseconds(until: $0) } ?? -1
    let count = poll(&entries, nfds_t(entries.count), timeout)
    return entries.dropLast().map { count > 0 ? $0.revents : 0 }
  }

  /// Returns the time until an instant, rounded up so that the instant has come when the time has
  /// passed.
  private static func milliseconds(until instant: SuspendingClock.Instant) -> Int32 {
    let milliseconds = (instant - SuspendingClock.now) / .milliseconds(1)
    return Int32(clamping: Int(max(0, min(milliseconds.rounded(.up), 1e9))))
  }
}

/// A pure state machine that decides which jobs run in which wake. It knows only their numbers, and
/// no job, clock or task.
struct DeferredWorkMachine: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let id: String
    let number: Int
  }

  /// The origin of a request for a wake.
  enum Caller: Hashable, Sendable {
    /// An event of the bus.
    case event
    /// A caller that waits, and may stop waiting.
    case waiter
  }

  /// The callers that have requested a wake.
  private struct Requests: Hashable, Sendable {
    var hasEvent = false
    var waiters = 0

    var isEmpty: Bool { !hasEvent && waiters == 0 }

    mutating func add(_ caller: Caller) {
      if caller == .event { hasEvent = true } else { waiters += 1 }
    }
  }

  private struct Wake: Hashable, Sendable {
    let number: Int
    var requests: Requests
    /// The jobs that have not begun.
    var rest: [Entry]
    var running: Entry?
    /// A Boolean value that indicates whether the running job waits again if it does not finish.
    var keepsRunning = false
    var isStopped = false
  }

  /// The jobs that no wake has been requested for since they were enqueued.
  private var waiting: [Entry] = []
  private var wake: Wake?
  /// The requests for a wake after the one under way, which lets no other job begin.
  private var nextRequests = Requests()
  private var lastEntry = 0
  private var lastWake = 0
  private var isEnded = false

  /// The jobs that have not begun, in order.
  var pending: [Entry] { (wake?.rest ?? []) + waiting }

  // MARK: Jobs

  /// Adds a job, in the place of a waiting job with the same identifier.
  ///
  /// - Returns: The job's number, or nil if the machine has ended; and the number of the job that
  ///   it replaces.
  mutating func enqueue(_ id: String) -> (number: Int?, replaced: Int?) {
    guard !isEnded else { return (nil, nil) }
    lastEntry += 1
    let entry = Entry(id: id, number: lastEntry)
    if let position = waiting.firstIndex(where: { $0.id == id }) {
      defer { waiting[position] = entry }
      return (entry.number, waiting[position].number)
    }
    let replaced = leaveWake(id)
    waiting.append(entry)
    return (entry.number, replaced)
  }

  /// Takes a job out of the wake under way. A running job continues, but is not kept.
  ///
  /// - Returns: The number of a job that has not begun.
  private mutating func leaveWake(_ id: String) -> Int? {
    if let position = wake?.rest.firstIndex(where: { $0.id == id }) {
      return wake?.rest.remove(at: position).number
    }
    if wake?.running?.id == id { wake?.keepsRunning = false }
    return nil
  }

  // MARK: Wakes

  /// Requests a wake. The one under way then also runs the jobs that are waiting by now.
  ///
  /// - Returns: The number of the wake, and whether it begins now; nil if there is nothing to do.
  mutating func wake(for caller: Caller) -> (number: Int, begins: Bool)? {
    if let current = wake {
      guard current.isStopped else {
        wake?.requests.add(caller)
        wake?.rest += waiting
        waiting = []
        return (current.number, false)
      }
      nextRequests.add(caller)
      return (current.number + 1, false)
    }
    guard !waiting.isEmpty else { return nil }
    var requests = Requests()
    requests.add(caller)
    return (begin(requests), true)
  }

  private mutating func begin(_ requests: Requests) -> Int {
    lastWake += 1
    wake = Wake(number: lastWake, requests: requests, rest: waiting)
    waiting = []
    return lastWake
  }

  /// The next job of the wake, or nil if there is none. The wake then has to be finished, and later
  /// requests receive another wake.
  mutating func next() -> Entry? {
    guard let current = wake, current.running == nil else { return nil }
    guard !current.isStopped, let first = current.rest.first else {
      wake?.isStopped = true
      return nil
    }
    wake?.rest.removeFirst()
    wake?.running = first
    wake?.keepsRunning = true
    return first
  }

  /// Ends the wake, after its last job.
  ///
  /// - Returns: The next wake, if one was requested meanwhile and there is something to do.
  mutating func finish() -> Int? {
    wake = nil
    defer { nextRequests = Requests() }
    guard !isEnded, !nextRequests.isEmpty, !waiting.isEmpty else {
      // Callers that wait for the next wake may withdraw later, so no other wake may have that
      // number.
      lastWake += 1
      return nil
    }
    return begin(nextRequests)
  }

  /// Records that the running job has returned.
  ///
  /// - Returns: The job's number, if it is no longer needed.
  mutating func didReturn(unfinished: Bool) -> Int? {
    guard let current = wake, let entry = current.running else { return nil }
    wake?.running = nil
    guard unfinished, current.keepsRunning, !isEnded else { return entry.number }
    waiting.append(entry)
    return nil
  }

  /// Stops the wake. Its remaining jobs do not begin; they are kept, ahead of all others.
  ///
  /// - Returns: Whether the running job has to be cancelled.
  mutating func stop(_ number: Int) -> Bool {
    guard let current = wake, current.number == number, !current.isStopped else { return false }
    wake?.isStopped = true
    wake?.rest = []
    waiting = current.rest + waiting
    return true
  }

  /// Records that a caller no longer waits for the wake.
  ///
  /// - Returns: Whether the running job has to be cancelled, because no caller requests the wake.
  mutating func withdraw(from number: Int) -> Bool {
    if wake?.number == number {
      wake?.requests.waiters -= 1
      return wake?.requests.isEmpty == true && stop(number)
    }
    if number > lastWake { nextRequests.waiters = max(nextRequests.waiters - 1, 0) }
    return false
  }

  /// A Boolean value that indicates whether the wake was stopped.
  var isStopped: Bool { wake?.isStopped ?? false }

  /// Discards all jobs, and accepts no more.
  mutating func end() {
    isEnded = true
    if let number = wake?.number { _ = stop(number) }
    wake?.keepsRunning = false
    waiting = []
  }
}

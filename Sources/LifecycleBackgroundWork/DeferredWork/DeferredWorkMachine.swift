/// Which jobs run in which wake. It knows their numbers, and no job, clock or task.
struct DeferredWorkMachine: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let id: String
    let number: Int
  }

  /// Who asks for a wake.
  enum Caller: Hashable, Sendable {
    /// An event of the bus.
    case event
    /// A caller who waits, and may stop waiting.
    case waiter
  }

  private struct Wants: Hashable, Sendable {
    var hasEvent = false
    var waiters = 0

    var isEmpty: Bool { !hasEvent && waiters == 0 }

    mutating func add(_ caller: Caller) {
      if caller == .event { hasEvent = true } else { waiters += 1 }
    }
  }

  private struct Wake: Hashable, Sendable {
    let number: Int
    var wants: Wants
    /// Those that have not begun.
    var rest: [Entry]
    var running: Entry?
    /// Whether the one that runs waits again, if it does not finish.
    var keepsRunning = false
    var isStopped = false
  }

  /// For the wake after the one that is under way.
  private var waiting: [Entry] = []
  private var wake: Wake?
  /// Who asks for a wake after the one that is under way, as that lets no other job begin.
  private var nextWants = Wants()
  private var lastEntry = 0
  private var lastWake = 0
  private var isEnded = false

  /// Those that have not begun, in order.
  var pending: [Entry] { (wake?.rest ?? []) + waiting }

  // MARK: Jobs

  /// Adds a job, in the place of a waiting one of that identifier.
  ///
  /// - Returns: Its number, nil if nothing runs any more; and the number of the job that it replaces.
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
    return (entry.number, replaced.number)
  }

  /// - Returns: Whether there was such a job, and the number of the one that is not needed any more.
  mutating func remove(_ id: String) -> (isFound: Bool, number: Int?) {
    let left = leaveWake(id)
    guard let position = waiting.firstIndex(where: { $0.id == id }) else { return left }
    return (true, waiting.remove(at: position).number)
  }

  private mutating func leaveWake(_ id: String) -> (isFound: Bool, number: Int?) {
    if let position = wake?.rest.firstIndex(where: { $0.id == id }) {
      return (true, wake?.rest.remove(at: position).number)
    }
    guard wake?.running?.id == id, wake?.keepsRunning == true else { return (false, nil) }
    wake?.keepsRunning = false
    return (true, nil)
  }

  // MARK: Wakes

  /// Asks for a wake.
  ///
  /// - Returns: Which wake that is, and whether it begins with this; nil if there is nothing to do.
  mutating func wake(for caller: Caller) -> (number: Int, begins: Bool)? {
    guard !isEnded else { return nil }
    if let current = wake {
      guard current.isStopped else {
        wake?.wants.add(caller)
        return (current.number, false)
      }
      nextWants.add(caller)
      return (current.number + 1, false)
    }
    guard !waiting.isEmpty else { return nil }
    var wants = Wants()
    wants.add(caller)
    return (begin(wants), true)
  }

  private mutating func begin(_ wants: Wants) -> Int {
    lastWake += 1
    wake = Wake(number: lastWake, wants: wants, rest: waiting)
    waiting = []
    return lastWake
  }

  /// The next job of the wake. Nil if there is none: the wake is to be finished, and who asks for one
  /// now gets another.
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
  /// - Returns: The next wake, if one was asked for meanwhile, and there is something to do.
  mutating func finish() -> Int? {
    wake = nil
    defer { nextWants = Wants() }
    guard !isEnded, !nextWants.isEmpty, !waiting.isEmpty else {
      // Who waits for the next wake may withdraw later: that number must not be another's.
      lastWake += 1
      return nil
    }
    return begin(nextWants)
  }

  /// The job that ran has returned.
  ///
  /// - Returns: Its number, if it is not needed any more.
  mutating func didReturn(unfinished: Bool) -> Int? {
    guard let current = wake, let entry = current.running else { return nil }
    wake?.running = nil
    guard unfinished, current.keepsRunning, !isEnded else { return entry.number }
    waiting.append(entry)
    return nil
  }

  /// Lets no other job of the wake begin, and keeps them, first of all.
  ///
  /// - Returns: Whether what runs is to be cancelled.
  mutating func stop(_ number: Int) -> Bool {
    guard let current = wake, current.number == number, !current.isStopped else { return false }
    wake?.isStopped = true
    wake?.rest = []
    waiting = current.rest + waiting
    return true
  }

  /// A caller does not wait for the wake any more.
  ///
  /// - Returns: Whether what runs is to be cancelled, as nobody asks for it.
  mutating func withdraw(from number: Int) -> Bool {
    if wake?.number == number {
      wake?.wants.waiters -= 1
      return wake?.wants.isEmpty == true && stop(number)
    }
    if number > lastWake { nextWants.waiters = max(nextWants.waiters - 1, 0) }
    return false
  }

  /// Whether what runs was told to stop.
  var isStopped: Bool { wake?.isStopped ?? false }

  /// Forgets all jobs, and takes no other.
  mutating func end() {
    isEnded = true
    if let number = wake?.number { _ = stop(number) }
    wake?.keepsRunning = false
    waiting = []
  }
}

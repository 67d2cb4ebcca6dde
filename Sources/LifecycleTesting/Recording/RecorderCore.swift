import LifecycleCombine
import LifecycleCore
import LifecycleSupport

/// The entries of a recorder, and the tasks that wait for more. Thread-safe.
///
/// The elements need not be `Sendable`: they arrive where the recorded publisher delivers, and are
/// returned to the owner of the recorder, which is `Sendable` only if they are.
final class RecorderCore<Element, Failure: Error>: Sendable {
  typealias Entry = LifecycleRecorder<Element, Failure>.Entry

  private struct State {
    var machine = RecorderMachine()
    var entries: [Entry] = []
    var lines: [LifecycleTranscript.Line] = []
    var completion: Subscribers.Completion<Failure>?
    /// The number of entries that `next()` and `takeElements()` have returned.
    var takenCount = 0
    var isCancelled = false
    var subscription: (any Subscription)?
    var waiters: [CheckedContinuation<Void, Never>] = []

    private var hasEnded: Bool { isCancelled || completion != nil }

    mutating func take() -> Next {
      guard takenCount < entries.count else { return hasEnded ? .end(completion) : .nothing }
      defer { takenCount += 1 }
      return .element(entries[takenCount].element)
    }

    mutating func takeAll() -> [Element] {
      defer { takenCount = entries.count }
      return entries.dropFirst(takenCount).map(\.element)
    }

    /// Adds a task that waits.
    ///
    /// - Returns: Whether there is something to wait for.
    mutating func wait(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
      if takenCount < entries.count || hasEnded { return false }
      waiters.append(waiter)
      return true
    }

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }

    /// Adds an entry, unless the recorder is cancelled.
    mutating func append(_ entry: Entry, _ line: LifecycleTranscript.Line) -> Bool {
      if isCancelled { return false }
      entries.append(entry)
      lines.append(line)
      return true
    }

    /// Ends the recording.
    ///
    /// - Returns: The subscription to release; nil if the recording had ended.
    mutating func finish(
      _ completion: Subscribers.Completion<Failure>,
      _ line: LifecycleTranscript.Line
    ) -> (any Subscription)?? {
      if hasEnded { return nil }
      self.completion = completion
      lines.append(line)
      return .some(subscription.take())
    }

    mutating func cancel() -> (any Subscription)? {
      isCancelled = true
      return subscription.take()
    }

    /// Keeps a subscription, unless the recorder is cancelled or has one.
    mutating func subscribe(
      _ subscription: any Subscription
    ) -> (isWanted: Bool, breach: RecorderMachine.Breach?) {
      if isCancelled { return (false, nil) }
      let breach = machine.subscribe()
      if breach == nil { self.subscription = subscription }
      return (breach == nil, breach)
    }

    mutating func request(_ demand: Subscribers.Demand) -> (any Subscription)? {
      machine.request(demand)
      return subscription
    }
  }

  /// The result of a call to ``take()``.
  enum Next {
    case element(Element)
    case end(Subscribers.Completion<Failure>?)
    case nothing
  }

  private let name: String?
  private let site: CallSite
  private let failures: TestFailures
  private let context: TranscriptContext
  private let log: TranscriptLog?
  private let state = Locked(UncheckedSendable(State()))

  init(
    name: String?,
    _ context: TranscriptContext,
    log: TranscriptLog?,
    _ failures: TestFailures,
    _ site: CallSite
  ) {
    self.name = name
    self.context = context
    self.log = log
    self.failures = failures
    self.site = site
  }

  /// Elements and subscriptions need not be `Sendable`: Combine, too, passes them from thread to
  /// thread, one call at a time.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { UncheckedSendable(body(&$0.value)) }.value
  }

  // MARK: What was recorded

  var isCancelled: Bool { withState { $0.isCancelled } }
  var hasWaiters: Bool { withState { !$0.waiters.isEmpty } }

  var entries: [Entry] {
    prepareToRead()
    return withState { $0.entries }
  }

  var completion: Subscribers.Completion<Failure>? {
    prepareToRead()
    return withState { $0.completion }
  }

  var transcript: LifecycleTranscript {
    prepareToRead()
    return LifecycleTranscript(state.withLock { $0.value.lines })
  }

  /// Returns the next entry that was not taken yet.
  func take() -> Next {
    prepareToRead()
    return withState { $0.take() }
  }

  /// Returns the elements that were not taken yet.
  func takeAll() -> [Element] {
    prepareToRead()
    return withState { $0.takeAll() }
  }

  private func prepareToRead() {
    log?.readChanges()
    failures.flush()
  }

  /// Resumes the continuation when there is an entry to take, when there will be no more entries,
  /// or when the task is cancelled.
  func wake(_ continuation: CheckedContinuation<Void, Never>) {
    guard withState({ $0.wait(continuation) }) else { return continuation.resume() }
    // A property may have changed before there was a continuation to resume.
    log?.readChangesLater()
    // The cancellation may have come before there was a continuation to resume.
    if Task.isCancelled { wakeAll() }
  }

  /// Resumes all waiting tasks, which then check again.
  func wakeAll() {
    for waiter in state.withLock({ $0.value.takeWaiters() }) { waiter.resume() }
  }

  // MARK: Recording

  func record(_ element: Element) {
    record(element, at: context.elapsed(), in: context.phase())
  }

  func record(_ element: Element, at time: Duration, in phase: LifecyclePhase) {
    let entry = Entry(time: time, phase: phase, element: element)
    let line = line(transcriptText(of: element), entry.time, entry.phase)
    guard withState({ $0.append(entry, line) }) else { return }
    log?.append(line)
    wakeAll()
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    let text =
      switch completion {
      case .finished: "completed"
      case .failure(let error): "failed with \(transcriptText(of: error))"
      }
    let line = line(text, context.elapsed(), context.phase())
    guard withState({ $0.finish(completion, line) }) != nil else { return }
    log?.append(line)
    wakeAll()
  }

  func cancel() {
    log?.readChanges()
    let subscription = withState { $0.cancel() }
    // A change that was not read keeps its tracker, and the tracker the log.
    log?.dropCancelled()
    subscription?.cancel()
    wakeAll()
    failures.flush()
  }

  private func line(
    _ text: String,
    _ time: Duration,
    _ phase: LifecyclePhase
  ) -> LifecycleTranscript.Line {
    .entry(
      time: time,
      phase: phase,
      text: name.map { "\($0): \(text)" } ?? text
    )
  }
}

// MARK: As a subscriber

extension RecorderCore {
  func receive(subscription: any Subscription) {
    let (isWanted, breach, demand) = withState { state in
      let (isWanted, breach) = state.subscribe(subscription)
      return (isWanted, breach, state.machine.demand)
    }
    if !isWanted { subscription.cancel() }
    if let breach { report(breach) }
    if isWanted, demand > .none { subscription.request(demand) }
  }

  /// Requests values. A demand from before the subscription is requested when the subscription
  /// arrives.
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    withState { $0.request(demand) }?.request(demand)
  }

  func receive(_ input: Element) {
    let breach = withState { $0.isCancelled ? nil : $0.machine.receive() }
    if let breach { report(breach, transcriptText(of: input)) }
    record(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let breach = withState { $0.isCancelled ? nil : $0.machine.complete() }
    if let breach { report(breach) }
    finish(completion)
  }

  private func report(_ breach: RecorderMachine.Breach, _ value: String? = nil) {
    let subject = name.map { "The publisher recorded as \"\($0)\"" } ?? "The recorded publisher"
    failures.report(
      """
      \(subject) violated the Combine protocol at \
      \(context.elapsed().text), in the phase \(context.phase()): it \
      \(breach)\(value.map { ": \($0)" } ?? "").
      """,
      at: site
    )
  }
}

/// The rules of the Combine protocol for the next call of a publisher.
struct RecorderMachine {
  /// A violation of the Combine protocol by a publisher.
  enum Breach: Hashable, CaseIterable {
    case secondSubscription
    case valueBeforeSubscription
    case completionBeforeSubscription
    case unrequestedValue
    case valueAfterCompletion
    case secondCompletion
  }

  private enum Phase {
    case unsubscribed, subscribed, completed
  }

  private var phase = Phase.unsubscribed
  /// The number of values that were requested and have not arrived.
  private(set) var demand = Subscribers.Demand.none

  mutating func subscribe() -> Breach? {
    guard phase == .unsubscribed else { return .secondSubscription }
    phase = .subscribed
    return nil
  }

  mutating func request(_ more: Subscribers.Demand) {
    demand += more
  }

  mutating func receive() -> Breach? {
    switch phase {
    case .unsubscribed: return .valueBeforeSubscription
    case .completed: return .valueAfterCompletion
    case .subscribed: break
    }
    guard demand > .none else { return .unrequestedValue }
    demand -= 1
    return nil
  }

  mutating func complete() -> Breach? {
    switch phase {
    case .unsubscribed: return .completionBeforeSubscription
    case .completed: return .secondCompletion
    case .subscribed:
      phase = .completed
      return nil
    }
  }
}

extension RecorderMachine.Breach: CustomStringConvertible {
  var description: String {
    switch self {
    case .secondSubscription: "sent a second subscription"
    case .valueBeforeSubscription: "sent a value before the subscription"
    case .completionBeforeSubscription: "completed before the subscription"
    case .unrequestedValue: "sent a value that was not requested"
    case .valueAfterCompletion: "sent a value after its completion"
    case .secondCompletion: "completed a second time"
    }
  }
}

/// A subscriber that passes its input to a recorder.
final class RecordingSubscriber<Input, Failure: Error>: Subscriber {
  private let core: RecorderCore<Input, Failure>

  init(_ core: RecorderCore<Input, Failure>) {
    self.core = core
  }

  func receive(subscription: any Subscription) {
    core.receive(subscription: subscription)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    core.receive(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    core.receive(completion: completion)
  }
}

import DequeModule
package import LifecycleCombine
import LifecycleSupport

/// A Combine subscriber of one of the bus's streams, and its subscription.
///
/// Each stream of the bus itself has a subclass that is not generic, because calls through a
/// generic class look up its metadata every time.
///
/// `@unchecked Sendable`: `requests` has a lock; the rest belongs to the thread that delivers, with
/// what `latest` refers to.
package class SubscriberRow<Output>: ObserverRow, Subscription, @unchecked Sendable {
  private let requests = Locked(SubscriberRequests())
  /// What the subscriber received last, if only the latest value counts; nil if all are kept.
  private let latest: LatestValue<Output>?
  private var isFinishing = false
  /// A Boolean value that indicates whether the buffer has values; asking it would be a generic
  /// call.
  private var isBuffering = false
  private var downstream: ((Output) -> Subscribers.Demand)?
  private var completion: (() -> Void)?
  private var buffer: Deque<Output> = []

  init(
    _ core: LifecycleBusCore,
    _ kinds: LifecycleEvent.Kinds,
    _ site: CallSite?,
    _ downstream: Downstream<Output>,
    table: Table = .events,
    latest: LatestValue<Output>? = nil
  ) {
    self.latest = latest
    self.downstream = downstream.receive
    completion = downstream.finish
    super.init(core: core, kinds: kinds, site: site, table: table)
  }

  package final func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "A subscriber must request at least one value.")
    if requests.withLock({ $0.add(demand) }), isLive { core.scheduleFlush(of: self) }
  }

  /// Passes the subscription to the subscriber. Values and the completion may follow from then on.
  final func attach(to subscriber: some Subscriber<Output, Never>) {
    subscriber.receive(subscription: self)
    if requests.withLock({ $0.attach() }) { core.scheduleFlush(of: self) }
  }

  /// Grants unlimited demand, from the first value on. Call it before the row is registered.
  final func attachWithUnlimitedDemand() {
    requests.withLock {
      _ = $0.add(.unlimited)
      _ = $0.attach()
    }
  }

  final func offer(_ value: Output) {
    if !isBuffering, requests.withLock({ $0.take() }) {
      latest?.note(value)
      return send(value)
    }
    if let latest {
      buffer.removeAll()
      isBuffering = false
      if latest.isRepetition(value) { return }
    }
    buffer.append(value)
    isBuffering = true
    // Demand that came earlier in the same delivery is served in the subscriber's turn.
    flush()
  }

  /// Offers the value that the stream starts with, unless something newer is there already.
  package final func offerFirst(_ value: Output) {
    if !isBuffering && !isFinishing { offer(value) }
  }

  final override func flush() {
    // A dead row may be being cleared, by another thread or further down the stack.
    while isLive, isBuffering, requests.withLock({ $0.take() }) {
      let value = buffer.removeFirst()
      latest?.note(value)
      isBuffering = !buffer.isEmpty
      send(value)
    }
    guard isLive, isFinishing, !isBuffering, requests.withLock({ $0.takeCompletion() }),
      let completion
    else { return }
    cancel()
    completion()
  }

  package override func finish() {
    guard isLive else { return }
    isFinishing = true
    flush()
  }

  override func clear() {
    // What is released here may come back to the bus while the access is open. It finds the row
    // dead, and so accesses nothing of it.
    downstream = nil
    completion = nil
    buffer = []
    isBuffering = false
  }

  private func send(_ value: Output) {
    guard let downstream else { return }
    // Not by `take()`, which is generic, and would wrap the closure once more at each call.
    self.downstream = nil
    let more = downstream(value)
    self.downstream = downstream
    if more > .none { requests.withLock { _ = $0.add(more) } }
  }
}

extension SubscriberRow: CustomCombineIdentifierConvertible {
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// The values that a subscriber has requested.
private struct SubscriberRequests {
  private var demand = Subscribers.Demand.none
  /// A Boolean value that indicates whether the subscriber has its subscription.
  private var isAttached = false
  /// A Boolean value that indicates whether something had to wait for the subscription.
  private var hasWaited = false

  /// Adds to the demand.
  ///
  /// - Returns: Whether values may have waited for it.
  mutating func add(_ more: Subscribers.Demand) -> Bool {
    let hadNone = demand == .none
    demand += more
    return hadNone && isAttached
  }

  /// Notes that the subscriber has its subscription.
  ///
  /// - Returns: Whether something has waited for it.
  mutating func attach() -> Bool {
    isAttached = true
    return hasWaited
  }

  /// Returns whether the subscriber receives a value now, which is no longer requested then.
  mutating func take() -> Bool {
    guard takeCompletion(), demand > .none else { return false }
    demand -= 1
    return true
  }

  /// Returns whether the subscriber can receive its completion. If not, the subscription waits.
  mutating func takeCompletion() -> Bool {
    if !isAttached { hasWaited = true }
    return isAttached
  }
}

/// The memory of a subscriber that receives the latest value of a stream, and never the same one
/// twice in succession.
///
/// Its methods are not inlined: every delivery would otherwise look up the layout of the value.
final class LatestValue<Output> {
  private let isSame: (Output, Output) -> Bool
  /// The value that the subscriber received last.
  private var received: Output?

  init(_ isSame: @escaping (Output, Output) -> Bool) {
    self.isSame = isSame
  }

  @inline(never)
  func note(_ value: Output) { received = value }

  @inline(never)
  func isRepetition(_ value: Output) -> Bool {
    received.map { isSame(value, $0) } ?? false
  }
}

import DequeModule
package import LifecycleCombine
import Synchronization

/// A Combine subscriber of one of the bus's streams, and its subscription.
///
/// Each stream of the bus itself has a subclass that is not generic, because calls through a
/// generic class look up its metadata every time.
///
/// `@unchecked Sendable`: `buffer`, `isBuffering`, `downstream`, `completion`, `isFinishing` and
/// what `latest` refers to belong to the thread that delivers; the rest is atomic.
package class SubscriberRow<Output>: ObserverRow, Subscription, @unchecked Sendable {
  private let demand = Atomic(0)
  private let isAttached = Atomic(false)
  /// A Boolean value that indicates whether something has ever had to wait for the subscriber.
  private let hasWaited = Atomic(false)
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
    let hadNone = add(demand)
    guard hadNone, isAttached.load(ordering: .sequentiallyConsistent), isLive else { return }
    core.scheduleFlush(of: self)
  }

  /// Passes the subscription to the subscriber. Values and the completion may follow from then on.
  final func attach(to subscriber: some Subscriber<Output, Never>) {
    subscriber.receive(subscription: self)
    isAttached.store(true, ordering: .sequentiallyConsistent)
    // Either this thread sees that something came before, or the thread that brought it sees that
    // the row is attached.
    if hasWaited.load(ordering: .sequentiallyConsistent) { core.scheduleFlush(of: self) }
  }

  /// Grants unlimited demand, from the first value on. Call it before the row is registered.
  final func attachWithUnlimitedDemand() {
    demand.store(Self.unlimited, ordering: .relaxed)
    isAttached.store(true, ordering: .relaxed)
  }

  final func offer(_ value: Output) {
    if !isBuffering, isAttached.load(ordering: .acquiring), takeDemand() {
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
    hasWaited.store(true, ordering: .sequentiallyConsistent)
    // Demand that came earlier in the same delivery is served in the subscriber's turn.
    flush()
  }

  /// Offers the value that the stream starts with, unless something newer is there already.
  package final func offerFirst(_ value: Output) {
    if !isBuffering && !isFinishing { offer(value) }
  }

  final override func flush() {
    // A dead row may be being cleared, by another thread or further down the stack.
    guard isLive, isAttached.load(ordering: .sequentiallyConsistent) else { return }
    while isLive, isBuffering, takeDemand() {
      let value = buffer.removeFirst()
      latest?.note(value)
      isBuffering = !buffer.isEmpty
      send(value)
    }
    guard isFinishing, !isBuffering, let completion, isLive else { return }
    cancel()
    completion()
  }

  package override func finish() {
    guard isLive else { return }
    isFinishing = true
    hasWaited.store(true, ordering: .sequentiallyConsistent)
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
    if more > .none { _ = add(more) }
  }

  // MARK: Demand

  // Sequentially consistent, like `isAttached` and `hasWaited`: of two threads, one that requests
  // and one that brings a value, at least one sees what the other did.

  private static var unlimited: Int { .max }

  /// Adds to the demand, and returns whether there was none before.
  private func add(_ more: Subscribers.Demand) -> Bool {
    var current = demand.load(ordering: .relaxed)
    while current != Self.unlimited {
      let (sum, overflow) = current.addingReportingOverflow(more.max ?? Self.unlimited)
      let (exchanged, original) = demand.weakCompareExchange(
        expected: current,
        desired: overflow ? Self.unlimited : sum,
        ordering: .sequentiallyConsistent
      )
      if exchanged { return original == 0 }
      current = original
    }
    return false
  }

  private func takeDemand() -> Bool {
    var current = demand.load(ordering: .sequentiallyConsistent)
    while current > 0 {
      if current == Self.unlimited { return true }
      let (exchanged, original) = demand.weakCompareExchange(
        expected: current,
        desired: current - 1,
        ordering: .sequentiallyConsistent
      )
      if exchanged { return true }
      current = original
    }
    return false
  }
}

extension SubscriberRow: CustomCombineIdentifierConvertible {
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

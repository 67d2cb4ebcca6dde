import DequeModule
import OpenCombineShim
import Synchronization

/// A Combine subscriber of one of the bus's streams, and its subscription.
///
/// It is generic over the stream's output, not over the subscriber: a conduit that is generic over
/// the subscriber pays for metadata look-ups on every call. `buffer`, `downstream` and `isFinishing`
/// belong to the thread that delivers; `demand` and `isAttached` are atomic.
class SubscriberRow<Output>: ObserverRow, Subscription, @unchecked Sendable {
  private let demand = Atomic(0)
  private let isAttached = Atomic(false)
  private let keepsLatestOnly: Bool
  private var downstream: AnySubscriber<Output, Never>?
  private var buffer: Deque<Output> = []
  private var isFinishing = false

  init(
    core: BusCore,
    kinds: KindFilter,
    site: CallSite?,
    table: Table = .events,
    keepsLatestOnly: Bool = false,
    downstream: AnySubscriber<Output, Never>
  ) {
    self.keepsLatestOnly = keepsLatestOnly
    self.downstream = downstream
    super.init(core: core, kinds: kinds, site: site, table: table)
  }

  final func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "A subscriber must request at least one value.")
    let hadNone = add(demand)
    if hadNone && isAttached.load(ordering: .acquiring) && isLive { core.schedulePump(of: self) }
  }

  /// Gives the subscriber its subscription. Values and the completion may flow from then on.
  final func attach(to subscriber: AnySubscriber<Output, Never>) {
    subscriber.receive(subscription: self)
    isAttached.store(true, ordering: .releasing)
    core.schedulePump(of: self)
  }

  final func offer(_ value: Output) {
    if buffer.isEmpty, isAttached.load(ordering: .acquiring), takeDemand() { return send(value) }
    if keepsLatestOnly { buffer.removeAll() }
    buffer.append(value)
    // Demand that came earlier in the same delivery is served in the subscriber's turn.
    pump()
  }

  /// Offers what the stream starts with, unless something newer is there already.
  final func offerFirst(_ value: Output) {
    if buffer.isEmpty && !isFinishing { offer(value) }
  }

  final override func pump() {
    // A dead row may be being cleared, by another thread or further down the stack.
    guard isLive, isAttached.load(ordering: .acquiring) else { return }
    while isLive, !buffer.isEmpty, takeDemand() {
      send(buffer.removeFirst())
    }
    guard isFinishing, buffer.isEmpty, let downstream, isLive else { return }
    cancel()
    downstream.receive(completion: .finished)
  }

  final override func finish() {
    guard isLive else { return }
    isFinishing = true
    pump()
  }

  final override func clear() {
    let garbage = (downstream.take(), buffer)
    buffer = []
    withExtendedLifetime(garbage) {}
  }

  private func send(_ value: Output) {
    guard let more = downstream?.receive(value), more > .none else { return }
    _ = add(more)
  }

  // MARK: Demand

  private static var unlimited: Int { .max }

  /// Adds to the demand, and says whether there was none.
  private func add(_ more: Subscribers.Demand) -> Bool {
    var current = demand.load(ordering: .relaxed)
    while current != Self.unlimited {
      let (sum, overflow) = current.addingReportingOverflow(more.max ?? Self.unlimited)
      let (exchanged, original) = demand.weakCompareExchange(
        expected: current,
        desired: overflow ? Self.unlimited : sum,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return original == 0 }
      current = original
    }
    return false
  }

  private func takeDemand() -> Bool {
    var current = demand.load(ordering: .relaxed)
    while current > 0 {
      if current == Self.unlimited { return true }
      let (exchanged, original) = demand.weakCompareExchange(
        expected: current,
        desired: current - 1,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return true }
      current = original
    }
    return false
  }
}

extension SubscriberRow: CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// A subscriber of a stream that is made from events.
final class EventSubscriberRow<Output>: SubscriberRow<Output>, @unchecked Sendable {
  private let stream: EventStream<Output>

  init(
    core: BusCore,
    stream: EventStream<Output>,
    site: CallSite?,
    downstream: AnySubscriber<Output, Never>
  ) {
    self.stream = stream
    super.init(
      core: core,
      kinds: stream.kinds,
      site: site,
      keepsLatestOnly: stream.current != nil,
      downstream: downstream
    )
  }

  override func receive(_ event: LifecycleEvent) {
    if let value = stream.value(event) { offer(value) }
  }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    super.start(after: delivered, catchUp: catchUp)
    if let current = stream.current { offerFirst(current(delivered)) }
  }
}

/// A subscriber of the stream of suppressed inputs.
final class SuppressionSubscriberRow: SubscriberRow<SuppressedInput>, @unchecked Sendable {
  init(core: BusCore, downstream: AnySubscriber<SuppressedInput, Never>) {
    super.init(
      core: core,
      kinds: .all,
      site: nil,
      table: .suppressions,
      downstream: downstream
    )
  }

  override func receive(_ input: SuppressedInput) { offer(input) }
}

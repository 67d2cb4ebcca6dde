public import LifecycleCombine

extension Publishers {
  /// The result of an operator that binds a publisher to the phases or events of a bus, such as
  /// `gate(_:of:buffering:)`, `whilePhase(_:of:)` and `prefix(until:of:)`.
  public struct LifecycleOperator<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// A closure that subscribes to upstream on behalf of one subscription of the operator, under a
    /// number.
    package typealias Subscribing = (Upstream, OperatorSubscription, Int) -> Void

    private let upstream: Upstream
    private let machine: any OperatorMachine
    private let kinds: LifecycleEvent.Kinds
    private let core: LifecycleBusCore
    private let site: CallSite
    /// Unchecked, because it captures only `Sendable` values and the types of upstream.
    private let makeSubscribing: UncheckedSendable<() -> Subscribing>

    /// - Parameters:
    ///   - machine: The machine in its initial state.
    ///   - kinds: The events that the machine receives.
    ///   - makeSubscribing: Called for each subscriber. The result is released at the end of its
    ///     subscription.
    package init(
      _ machine: any OperatorMachine,
      upstream: Upstream,
      hearing kinds: LifecycleEvent.Kinds = .transitions,
      of core: LifecycleBusCore,
      site: CallSite,
      makeSubscribing: @escaping () -> Subscribing = {
        { $0.subscribe(UpstreamLink<Output, Failure>($1, number: $2)) }
      }
    ) {
      self.machine = machine
      self.upstream = upstream
      self.kinds = kinds
      self.core = core
      self.site = site
      self.makeSubscribing = UncheckedSendable(makeSubscribing)
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let subscribe = makeSubscribing.value()
      OperatorSubscription.start(
        machine,
        subscribing: UncheckedSendable { [upstream] in subscribe(upstream, $0, $1) },
        to: subscriber,
        hearing: kinds,
        of: core,
        site: site
      )
    }
  }
}

extension Publishers.LifecycleOperator: Sendable where Upstream: Sendable {}

package import LifecycleCombine

/// The actions that a machine leaves to its caller, in the order of the fields.
package struct OperatorStep: Sendable {
  package enum Upstream: Sendable {
    /// Subscribe, under that number.
    case subscribe(Int)
    case cancel
    /// Cancel, then subscribe under that number.
    case replace(Int)
    /// It has completed: release it.
    case release
  }

  /// A Boolean value that indicates whether to stop listening to the bus.
  package var leavesBus: Bool
  package var upstream: Upstream?
  /// The demand to request of upstream.
  package var demand: Subscribers.Demand
  /// The positions of those waiting values that are not delivered, and to be released.
  package var dropped: Range<Int>
  package var call: DownstreamState.Call?

  package init(
    leavesBus: Bool = false,
    upstream: Upstream? = nil,
    demand: Subscribers.Demand = .none,
    dropped: Range<Int> = 0..<0,
    call: DownstreamState.Call? = nil
  ) {
    self.leavesBus = leavesBus
    self.upstream = upstream
    self.demand = demand
    self.dropped = dropped
    self.call = call
  }
}

package import LifecycleCombine

/// The actions that a machine leaves to its caller, in the order of the fields.
package struct OperatorStep: Sendable {
  package enum Upstream: Sendable {
    /// Subscribe, under a number.
    case subscribe(Int)
    case cancel
    /// Cancel, then subscribe under a number.
    case replace(Int)
    /// Release the subscription, which has completed.
    case release
    /// Keep the subscription. Start under a number, in place of an earlier timer, one that
    /// completes when it fires; nil for no timer.
    case time(Int?)
  }

  /// A Boolean value that indicates whether to stop listening to the bus.
  package var leavesBus: Bool
  package var upstream: Upstream?
  /// The demand to request from upstream.
  package var demand: Subscribers.Demand
  /// The positions of the waiting values that are released without being delivered.
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

import LifecycleCombine

/// The actions that a machine leaves to its caller, in the order of the fields.
struct OperatorStep: Sendable {
  enum Upstream: Sendable {
    /// Subscribe, under that number.
    case subscribe(Int)
    case cancel
    /// Cancel, then subscribe under that number.
    case replace(Int)
    /// It has completed: release it.
    case release
  }

  /// A Boolean value that indicates whether to stop listening to the bus.
  var leavesBus = false
  var upstream: Upstream?
  /// The demand to request of upstream.
  var demand = Subscribers.Demand.none
  /// The positions of those waiting values that are not delivered, and to be released.
  var dropped = 0..<0
  var call: DownstreamState.Call?
}

/// A receiver of a bus's events: an operator, another bus, or a feature in a separate module.
///
/// It is called where the bus delivers, in the observer's turn, one call at a time. A `ListenerRow`
/// is its place on the bus. Either the row keeps its listener alive, or the listener keeps the row
/// alive.
package protocol BusListener: AnyObject, Sendable {
  /// Notifies the listener of the state of the bus when it joins; the first call.
  func join(at delivered: DeliveredState)
  func hear(_ event: LifecycleEvent)
  /// Notifies the listener that the bus has ended; the last call.
  func busDidEnd()
}

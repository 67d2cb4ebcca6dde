/// What an operator, or another bus, hears of a bus: where the bus delivers, in the observer's turn,
/// one call at a time.
package protocol BusListener: AnyObject, Sendable {
  /// The state of the bus when the listener joins; the first call.
  func join(at delivered: DeliveredState)
  func hear(_ event: LifecycleEvent)
  /// The bus has ended; the last call.
  func busDidEnd()
}

/// What an operator, another bus, or a feature in a module of its own hears of a bus: where the bus
/// delivers, in the observer's turn, one call at a time. A `ListenerRow` is its place on the bus; it
/// keeps its listener alive, or the listener keeps the row.
package protocol BusListener: AnyObject, Sendable {
  /// The state of the bus when the listener joins; the first call.
  func join(at delivered: DeliveredState)
  func hear(_ event: LifecycleEvent)
  /// The bus has ended; the last call.
  func busDidEnd()
}

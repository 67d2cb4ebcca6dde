/// The span of time in which an observer was registered, in ticks of the bus's `DeliveryCheck`.
struct Registration {
  var begin = 0
  /// `Int.max` until the observer is registered.
  var end = Int.max
}

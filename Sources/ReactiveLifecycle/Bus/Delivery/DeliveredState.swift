/// The state after the last event that was delivered to the observers.
package struct DeliveredState {
  package internal(set) var phase = LifecyclePhase.unknown
  package internal(set) var sequenceNumber = 0
  package internal(set) var instant = LifecycleInstant(
    continuous: .boot,
    timeAwake: .zero,
    timeSince1970: .zero
  )
}

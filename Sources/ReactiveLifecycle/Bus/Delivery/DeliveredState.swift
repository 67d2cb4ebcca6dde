/// What the observers have been told so far.
package struct DeliveredState {
  package internal(set) var phase = LifecyclePhase.unknown
  package internal(set) var sequenceNumber = 0
  package internal(set) var instant = LifecycleInstant(
    continuous: .boot,
    timeAwake: .zero,
    timeSince1970: .zero
  )
}

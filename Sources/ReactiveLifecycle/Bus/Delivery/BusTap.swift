/// A receiver of everything that a bus accepts, in the order in which the bus accepts it.
///
/// It is called with the lock of the bus held, on any thread: it stores what it receives, and calls
/// no bus, no clock, and no code of a user.
package protocol BusTap: AnyObject, Sendable {
  /// Notifies the tap of the state of the bus from which on it receives everything; the first call.
  func begin(at instant: LifecycleInstant, with state: BusState)
  func note(_ record: BusRecord)
}

/// The accepted state of a bus.
package struct BusState: Sendable {
  /// The phase after all inputs that were accepted so far.
  package let phase: LifecyclePhase
  /// The phase of the participant `application`, if the program itself has reported on it;
  /// otherwise `unknown`.
  package let ownPhase: LifecyclePhase
  /// The connected sources, in order of connection.
  package let sources: [BusSource]
}

/// A connected source.
package struct BusSource: Sendable {
  package let id: Int
  package let name: LifecycleSourceName
  package let role: LifecycleRole
  /// The source that it is a part of.
  package let whole: Int?
  /// The phase of its participant, or the furthest one that the ceiling allows.
  package let phase: LifecyclePhase
}

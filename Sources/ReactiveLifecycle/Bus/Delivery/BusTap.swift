/// A receiver of everything that a bus accepts, in the order in which the bus accepts it.
///
/// It is called with the lock of the bus held, on any thread: it stores what it receives, and calls
/// no bus, no clock, and no code of a user.
package protocol BusTap: AnyObject, Sendable {
  /// Notifies the tap of the state of the bus from which on it receives everything; the first call.
  func begin(at instant: LifecycleInstant, with state: BusState)
  func note(_ occurrence: BusOccurrence, at instant: LifecycleInstant)
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

/// Something that a bus accepts.
package enum BusOccurrence: Sendable {
  case connected(BusSource)
  /// Those of its parts follow, then the events that the disconnection causes.
  case disconnected(source: Int)
  /// The events that it causes follow.
  case input(BusInput)
  case event(LifecycleEvent)
  case observerAdded(Int, LifecycleObserverLocation)
  case observerRemoved(Int)
  case activity(BusActivity)
  /// `willTerminate` was accepted, or the bus was released.
  case ended
}

/// An input, and what became of it.
package struct BusInput: Sendable {
  package let kind: LifecycleEvent.Kind
  /// The number of the source; 0 for the program itself.
  package let source: Int
  package let metadata: [String: String]
  package let suppressed: SuppressedInput.Reason?
}

/// A change of something that a feature above the core has on the bus for a while.
package struct BusActivity: Sendable {
  package enum Kind: Sendable {
    case countdown, backgroundTask, fetch
  }

  package enum Change: Sendable {
    case began, paused, resumed
    case ended(String)
  }

  package let kind: Kind
  package let id: Int
  package let name: String
  package let change: Change

  package init(_ kind: Kind, id: Int, name: String, _ change: Change) {
    self.kind = kind
    self.id = id
    self.name = name
    self.change = change
  }
}

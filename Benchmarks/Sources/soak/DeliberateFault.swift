import ArgumentParser

/// A fault that the soak makes on purpose, to show that it notices it.
///
/// Each one changes the apparent behavior of the library, at the place where the soak calls the
/// library or is called by it. The checks themselves are not changed.
enum DeliberateFault: String, CaseIterable, ExpressibleByArgument {
  /// The phase after an event is the wrong one (G1).
  case path
  /// A suppressed input is not published (G2).
  case suppression
  /// An observer does not receive one of the events (G3).
  case gap
  /// The first observer appears to be the last one (G4).
  case order
  /// An observer receives the event in whose delivery it was registered (G5).
  case joining
  /// An observer is called after it was cancelled (G6).
  case leaving
  /// The closure of a cancelled observer is kept (G6).
  case closure
  /// Two observers of a bus run at once (G7).
  case overlap
  /// An observer of the main actor runs elsewhere (G7).
  case actor
  /// A stream does not finish (G8).
  case completion
  /// A scope cancels in order of insertion (G9).
  case scope
  /// A value that was not requested yet is lost (G10).
  case backlog
  /// A stay is too long (G11).
  case stay
  /// A replaced observer is called beside the new one (G12).
  case replacement
  /// An object that an observer captures is never released.
  case object
  /// Each epoch leaves memory.
  case memory
  /// Each epoch leaves a descriptor.
  case descriptor
  /// Each epoch leaves a thread.
  case thread
  /// An epoch does not end.
  case wait
}

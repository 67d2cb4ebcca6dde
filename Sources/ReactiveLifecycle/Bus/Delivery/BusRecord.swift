/// Something that a bus accepts.
///
/// Records are copied for each event: the contents are plain bits, and what is not is beside them.
package struct BusRecord: Sendable {
  package enum Content: Sendable {
    /// Those of its parts follow, then the events that the disconnection causes.
    case disconnected(source: Int)
    /// The events that it causes follow. The source of the program itself is 0.
    case input(LifecycleEvent.Kind, source: Int, suppressed: SuppressedInput.Reason?)
    case event(Event)
    case observerRemoved(Int)
    /// `willTerminate` was accepted, or the bus was released.
    case ended
    /// What the detail says.
    case detailed
  }

  /// An event, without what the record has beside it.
  package struct Event: Sendable {
    package let kind: LifecycleEvent.Kind
    package let previousPhase: LifecyclePhase
    package let phase: LifecyclePhase
    package let sequenceNumber: Int
    package let origin: LifecycleEvent.Origin
    package let backgroundStay: BackgroundStay?
  }

  package indirect enum Detail: Sendable {
    case connected(BusSource)
    case observerAdded(Int, LifecycleObserverLocation)
    case activity(BusActivity)
    case note(String)
  }

  package let instant: LifecycleInstant
  package let content: Content
  /// The metadata of an input or an event.
  package let metadata: [String: String]
  /// What is noted too rarely to take space in every record.
  package let detail: Detail?

  package init(
    _ content: Content,
    at instant: LifecycleInstant,
    metadata: [String: String] = [:]
  ) {
    self.instant = instant
    self.content = content
    self.metadata = metadata
    detail = nil
  }

  package init(_ detail: Detail, at instant: LifecycleInstant) {
    self.instant = instant
    content = .detailed
    metadata = [:]
    self.detail = detail
  }
}

import ReactiveLifecycle

/// The check of the stays of a bus: the time between the events at which they begin and end (G11).
struct StayCheck {
  /// The event that began the stay.
  private var beginning: LifecycleEvent?
  /// The stays so far.
  private(set) var all: [BackgroundStay] = []
  private let faults: Faults

  init(_ faults: Faults) { self.faults = faults }

  /// Checks the stay of an event. Call it with each event, in order.
  mutating func receive(_ event: LifecycleEvent) {
    switch event.kind {
    case .didEnterBackground:
      beginning = event
      faults.check(.time, event.backgroundStay == nil, "\(event) has a stay")
    case .willEnterForeground:
      check(event)
      beginning = nil
    default:
      faults.check(.time, event.backgroundStay == nil, "\(event) has a stay")
    }
  }

  private mutating func check(_ event: LifecycleEvent) {
    guard let stay = event.backgroundStay, let beginning else {
      return faults.check(
        .time,
        (event.backgroundStay == nil) == (beginning == nil),
        "\(event) has the stay \(event.backgroundStay as Any) after \(beginning as Any)"
      )
    }
    // Inputs of several threads can overtake each other after they have read the clock.
    let expected = max(beginning.instant.duration(to: event.instant), .zero)
    faults.check(.time, stay.duration == expected, "away \(stay.duration), not \(expected)")
    faults.check(
      .time,
      .zero <= stay.timeAsleep && stay.timeAsleep <= stay.duration,
      "asleep \(stay.timeAsleep) of \(stay.duration)"
    )
    all.append(stay)
  }
}

import ReactiveLifecycle

/// The countdowns of a bus as activities, for those who record the bus.
///
/// Each run of a countdown is an activity. Empty until someone records the bus; what it contains of
/// a countdown then remains until the countdown is released.
struct CountdownLog {
  /// A change of a countdown's status.
  struct Change {
    let countdown: ObjectIdentifier
    let from: Countdown.Status
    let to: Countdown.Status
    /// A Boolean value that indicates whether the countdown has started, possibly over.
    var starts = false
    var isRelease = false
  }

  private var names: [ObjectIdentifier: String] = [:]
  private var runs: [ObjectIdentifier: Int] = [:]

  /// Notes the name of a new countdown.
  mutating func add(_ countdown: ObjectIdentifier, name: String) {
    names[countdown] = name
  }

  /// Returns the changes of activities that a change of status is.
  ///
  /// - Parameter makeID: Returns the number of a new activity.
  mutating func activities(for change: Change, makeID: () -> Int) -> [FlightActivity] {
    let name = names[change.countdown, default: ""]
    let activities = Self.steps(of: change).map { step in
      if case .began = step { runs[change.countdown] = nil }
      let id = runs[change.countdown] ?? makeID()
      runs[change.countdown] = id
      if case .ended = step { runs[change.countdown] = nil }
      return FlightActivity(.countdown, id: id, name: name, step)
    }
    if change.isRelease { remove(change.countdown) }
    return activities
  }

  /// Forgets a countdown that is released.
  mutating func remove(_ countdown: ObjectIdentifier) {
    guard !names.isEmpty || !runs.isEmpty else { return }
    names[countdown] = nil
    runs[countdown] = nil
  }

  static func steps(of change: Change) -> [FlightActivity.Change] {
    let wasOpen = change.from.isOpen
    guard !change.starts else {
      let end: [FlightActivity.Change] = wasOpen ? [.ended("restarted")] : []
      return switch change.to {
      case .idle: end
      case .running: end + [.began]
      case .paused: end + [.began, .paused]
      case .finished: end + [.began, .ended("finished")]
      }
    }
    guard wasOpen, change.from != change.to else { return [] }
    return switch change.to {
    case .idle: [.ended(change.isRelease ? "released" : "cancelled")]
    case .running: [.resumed]
    case .paused: [.paused]
    case .finished: [.ended("finished")]
    }
  }
}

extension Countdown.Status {
  fileprivate var isOpen: Bool { self == .running || self == .paused }
}

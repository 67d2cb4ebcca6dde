/// The phases of an application, its participants and its ceilings, and the one that follows from
/// them: that of the most forward participant, but no further than each ceiling allows.
package struct ReportedPhases {
  private let application: LifecyclePhase
  private var forward: LifecyclePhase
  private var ceiling: LifecyclePhase?

  @inline(__always)
  package init(application: LifecyclePhase) {
    self.application = application
    forward = application
  }

  /// Adds a report. One that is unknown has no say.
  @inline(__always)
  package mutating func add(_ phase: LifecyclePhase, as role: LifecycleRole) {
    // A participant that has ended does not count: `terminated < unknown`.
    if role != .ceiling {
      forward = max(forward, phase)
    } else if phase != .unknown {
      ceiling = min(ceiling ?? phase, phase)
    }
  }

  /// The phase that follows; nil if there are no reports.
  @inline(__always)
  package var phase: LifecyclePhase? {
    guard application != .terminated else { return .terminated }
    guard forward > .unknown else { return ceiling }
    return min(forward, ceiling ?? forward)
  }
}

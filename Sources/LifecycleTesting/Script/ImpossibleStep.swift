import ReactiveLifecycle

/// A step that is impossible, and the reason.
struct ImpossibleStep: Error, Hashable {
  let step: LifecycleStep
  let refusal: Refusal
}

/// The reason that a step is impossible.
enum Refusal: Error, Hashable {
  case notLaunched
  case neverLaunched
  case running
  case ended
  case phase(LifecyclePhase, needed: [LifecyclePhase])
  case noRepetition(LifecyclePhase)
  case sleepsLonger(Duration, Duration)
  case negative(Duration)
}

extension ImpossibleStep: CustomStringConvertible {
  var description: String {
    "The step \(step) is impossible: \(refusal.reason) The script ends here."
  }
}

extension Refusal {
  fileprivate var reason: String {
    switch self {
    case .notLaunched: "the process was not launched. Begin with launch."
    case .neverLaunched: "the process was never launched. Use launch the first time."
    case .running: "the process is running. It must end first, by kill, terminate or restartDevice."
    case .ended: "the process has ended. Use relaunch first."
    case .phase(let phase, let needed):
      """
      the process is \(phase.phrase), and would have to be \
      \(needed.map(\.phrase).joined(separator: " or ")).
      """
    case .noRepetition(let phase):
      "while the process is \(phase.phrase) that is no repetition. Use send for any other report."
    case .sleepsLonger(let asleep, let duration):
      "of \(duration.text) the device can't sleep \(asleep.text)."
    case .negative(let duration):
      "\(duration.text) can't pass. The wall clock alone goes back, with setWallClock(by:)."
    }
  }
}

extension LifecyclePhase {
  fileprivate var phrase: String {
    switch self {
    case .terminated: "terminated"
    case .unknown: "in an unknown phase"
    case .background: "in the background"
    case .inactive: "inactive"
    case .active: "active"
    }
  }
}

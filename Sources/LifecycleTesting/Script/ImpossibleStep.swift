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
    case .notLaunched: "the process has not been launched. Perform launch first."
    case .neverLaunched: "the process has never been launched. Use launch instead."
    case .running:
      "the process is still running. End it with kill, terminate, or restartDevice first."
    case .ended: "the process has ended. Perform relaunch first."
    case .phase(let phase, let needed):
      """
      the process is \(phase.phrase), but must be \(needed.map(\.phrase).joined(separator: " or ")).
      """
    case .noRepetition(let phase):
      "the process is \(phase.phrase), so this is not a duplicate. Use send for any other event."
    case .sleepsLonger(let asleep, let duration):
      "the device can't be asleep for \(asleep.text) of \(duration.text). Choose a shorter sleep."
    case .negative(let duration):
      """
      \(duration.text) is a negative duration. Only the wall clock can go back: use \
      setWallClock(by:).
      """
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

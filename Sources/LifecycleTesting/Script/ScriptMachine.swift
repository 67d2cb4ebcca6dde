import LifecycleCore

/// The rules of a script: the possible steps, and the actions of each. It uses no bus and no clock.
struct ScriptMachine {
  /// An action of a step. The actions of a step are carried out in order.
  enum Action: Hashable {
    /// A process begins, possibly before the first unlock of the device.
    case launch(isLocked: Bool)
    case send(LifecycleEvent.Kind)
    case pass(Duration, Passing)
    case setWallClock(by: Duration)
    /// The process ends without a notification.
    case kill
  }

  /// The state of the device and the process while time passes.
  enum Passing: Hashable {
    case running, asleep, stopped, off
  }

  private enum Process {
    case notLaunched, running, ended
  }

  private var process = Process.notLaunched

  /// Returns the actions of a step.
  ///
  /// - Parameter phase: The phase of the process.
  /// - Throws: An ``ImpossibleStep`` with the reason if the step is impossible.
  mutating func perform(
    _ step: LifecycleStep,
    in phase: LifecyclePhase
  ) throws(ImpossibleStep) -> [Action] {
    if process == .running, phase == .terminated { process = .ended }
    do throws(Refusal) {
      return try actions(of: step, in: phase)
    } catch {
      throw ImpossibleStep(step: step, refusal: error)
    }
  }

  private mutating func actions(
    of step: LifecycleStep,
    in phase: LifecyclePhase
  ) throws(Refusal) -> [Action] {
    switch step {
    case .launch: return try launch()
    case .launchBeforeFirstUnlock: return try launch(isLocked: true)
    case .relaunch:
      guard process != .notLaunched else { throw .neverLaunched }
      return try launch()
    case .becomeActive:
      try require([.background, .inactive], phase)
      return wayUp(from: phase)
    case .resignActive:
      try require([.active], phase)
      return [.send(.willResignActive)]
    case .enterBackground:
      try require([.inactive, .active], phase)
      return wayDown(from: phase)
    case .enterForeground:
      try require([.background], phase)
      return [.send(.willEnterForeground)]
    case .background(let duration, let asleep):
      try require([.inactive, .active], phase)
      for time in [duration, asleep] where time < .zero { throw .negative(time) }
      guard asleep <= duration else { throw .sleepsLonger(asleep, duration) }
      return wayDown(from: phase)
        + [.pass(duration - asleep, .running), .pass(asleep, .asleep)]
        + wayUp(from: .background)
    case .duplicate(let kind):
      try requireRunning()
      guard kind.isRepetition(in: phase) else { throw .noRepetition(phase) }
      return [.send(kind)]
    case .memoryWarning:
      try requireRunning()
      return [.send(.didReceiveMemoryWarning)]
    case .send(let kind):
      try requireRunning()
      return [.send(kind)]
    case .terminate:
      try requireRunning()
      return [.send(.willTerminate)]
    case .kill:
      try requireRunning()
      process = .ended
      return [.kill]
    case .advance(let duration): return try pass(duration, .running)
    case .sleepDevice(let duration): return try pass(duration, .asleep)
    case .stopProcess(let duration):
      try requireRunning()
      return try pass(duration, .stopped)
    case .setWallClock(let shift): return [.setWallClock(by: shift)]
    case .significantTimeChange(let shift):
      try requireRunning()
      return [.setWallClock(by: shift), .send(.significantTimeChange)]
    case .restartDevice(let duration):
      let pass = try pass(duration, .off)
      guard process == .running else { return pass }
      process = .ended
      return [.kill] + pass
    }
  }

  /// Records that a process of a recording has begun, after which steps are possible.
  mutating func replayDidLaunch() {
    process = .running
  }

  /// Records that the process could not begin, so that it can be launched again.
  mutating func launchDidFail() {
    process = .ended
  }

  private mutating func launch(isLocked: Bool = false) throws(Refusal) -> [Action] {
    guard process != .running else { throw .running }
    process = .running
    return [.launch(isLocked: isLocked), .send(.didFinishLaunching)]
  }

  private func wayUp(from phase: LifecyclePhase) -> [Action] {
    (phase == .background ? [.send(.willEnterForeground)] : []) + [.send(.didBecomeActive)]
  }

  private func wayDown(from phase: LifecyclePhase) -> [Action] {
    (phase == .active ? [.send(.willResignActive)] : []) + [.send(.didEnterBackground)]
  }

  private func pass(_ duration: Duration, _ passing: Passing) throws(Refusal) -> [Action] {
    guard duration >= .zero else { throw .negative(duration) }
    return [.pass(duration, passing)]
  }

  private func requireRunning() throws(Refusal) {
    switch process {
    case .running: break
    case .notLaunched: throw .notLaunched
    case .ended: throw .ended
    }
  }

  private func require(
    _ phases: [LifecyclePhase],
    _ phase: LifecyclePhase
  ) throws(Refusal) {
    try requireRunning()
    guard phases.contains(phase) else { throw .phase(phase, needed: phases) }
  }
}

extension LifecycleEvent.Kind {
  /// Returns whether the event is a transition that would not change the phase.
  fileprivate func isRepetition(in phase: LifecyclePhase) -> Bool {
    switch self {
    case .didFinishLaunching: phase >= .background
    case .willEnterForeground: phase >= .inactive
    case .didBecomeActive: phase == .active
    case .willResignActive: phase == .inactive || phase == .background
    case .didEnterBackground: phase == .background
    default: false
    }
  }
}

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

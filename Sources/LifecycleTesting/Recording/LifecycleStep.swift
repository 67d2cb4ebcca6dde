public import LifecycleCore

/// A step in the life of a process under test, as the system or the user causes it.
///
/// Steps are values: they can be stored, and be the arguments of a parameterized test.
///
/// ```swift
/// let visits: [LifecycleStep] = [.launch, .becomeActive, .background(for: .seconds(90))]
/// ```
///
/// An impossible step, such as ``becomeActive`` of an active process, fails the test at the line of
/// the script, and ends the script there.
@nonexhaustive
public enum LifecycleStep: Sendable, Hashable, Codable {
  // MARK: Reports of the system

  /// Launches the process, for the first time or after its end: `didFinishLaunching`.
  case launch
  /// Launches the process, for the first time or after its end, on a device that was not unlocked
  /// since it was started: `protectedDataWillBecomeUnavailable`, `didFinishLaunching`.
  ///
  /// Its journals can't be opened until `send(.protectedDataDidBecomeAvailable)`.
  case launchBeforeFirstUnlock
  /// Makes the process receive input: `didBecomeActive`, after `willEnterForeground` if it was in
  /// the background.
  case becomeActive
  /// Makes the process stop receiving input, as for a call: `willResignActive`.
  case resignActive
  /// Moves the process to the background, where it stays: `willResignActive` if it was active,
  /// `didEnterBackground`.
  case enterBackground
  /// Moves the process to the foreground, where it is inactive: `willEnterForeground`.
  case enterForeground
  /// Moves the process to the background for a duration, and makes it active again:
  /// ``enterBackground``, time, ``becomeActive``. The device sleeps for the last part of the
  /// duration.
  case background(for: Duration, deviceAsleep: Duration = .zero)
  /// Repeats a report: a transition that does not change the phase.
  case duplicate(LifecycleEvent.Kind)
  /// Reports that memory is scarce: `didReceiveMemoryWarning`.
  case memoryWarning
  /// Sends any report unchanged: a notice, or a transition whose skipped steps the bus fills in.
  case send(LifecycleEvent.Kind)

  // MARK: The end of the process

  /// Ends the process properly: `willTerminate`.
  case terminate
  /// Kills the process without a notification. See ``ScriptedLifecycle``.
  case kill
  /// Launches the process again, after ``terminate``, ``kill`` or ``restartDevice(for:)``.
  case relaunch

  // MARK: Time

  /// Lets time pass.
  case advance(by: Duration)
  /// Lets time pass while the device sleeps.
  case sleepDevice(for: Duration)
  /// Lets time pass while the process is stopped, as by SIGSTOP.
  ///
  /// The process continues at the end of the step, where timers that became due fire. In a real
  /// process they wait for a tenth of a second, so that a return that continues it comes first. The
  /// end of a countdown comes before the return in both.
  case stopProcess(for: Duration)
  /// Sets the wall clock, as a user does.
  case setWallClock(by: Duration)
  /// Sets the wall clock, which the system reports, as after an update of the time by the carrier:
  /// `significantTimeChange`.
  case significantTimeChange(by: Duration)
  /// Turns the device off for a duration and on again: a running process is killed, and the clocks
  /// that count from the boot start again.
  case restartDevice(for: Duration)
}

extension LifecycleStep: CustomStringConvertible {
  /// The step in Swift's notation, with durations in seconds:
  /// `background(for: 90 s, deviceAsleep: 60 s)`.
  public var description: String {
    switch self {
    case .launch: "launch"
    case .launchBeforeFirstUnlock: "launchBeforeFirstUnlock"
    case .becomeActive: "becomeActive"
    case .resignActive: "resignActive"
    case .enterBackground: "enterBackground"
    case .enterForeground: "enterForeground"
    case .background(let duration, .zero): "background(for: \(duration.text))"
    case .background(let duration, let asleep):
      "background(for: \(duration.text), deviceAsleep: \(asleep.text))"
    case .duplicate(let kind): "duplicate(\(kind))"
    case .memoryWarning: "memoryWarning"
    case .send(let kind): "send(\(kind))"
    case .terminate: "terminate"
    case .kill: "kill"
    case .relaunch: "relaunch"
    case .advance(let duration): "advance(by: \(duration.text))"
    case .sleepDevice(let duration): "sleepDevice(for: \(duration.text))"
    case .stopProcess(let duration): "stopProcess(for: \(duration.text))"
    case .setWallClock(let shift): "setWallClock(by: \(shift.text))"
    case .significantTimeChange(let shift): "significantTimeChange(by: \(shift.text))"
    case .restartDevice(let duration): "restartDevice(for: \(duration.text))"
    }
  }
}

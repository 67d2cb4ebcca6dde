public import ReactiveLifecycle

/// Something that happens to a process in a test, as the system and the user bring it about.
///
/// Steps are values: they can be stored, and be the arguments of a parametrised test.
///
/// ```swift
/// let visits: [LifecycleStep] = [.launch, .becomeActive, .background(for: .seconds(90))]
/// ```
///
/// A step that can't happen, such as ``becomeActive`` of a process that is active, fails the test at the
/// line of the script; so does the script's end there.
public enum LifecycleStep: Sendable, Hashable, Codable {
  // MARK: What the system reports

  /// The process is launched, for the first time or after its end: `didFinishLaunching`.
  case launch
  /// It receives input: `didBecomeActive`, after `willEnterForeground` if it was in the background.
  case becomeActive
  /// It stops receiving input, as for a call: `willResignActive`.
  case resignActive
  /// It leaves the foreground, and stays away: `willResignActive` if it was active, `didEnterBackground`.
  case enterBackground
  /// It returns from the background: `willEnterForeground` and `didBecomeActive`.
  case enterForeground
  /// It leaves the foreground for that long, and returns: ``enterBackground``, time, ``enterForeground``. The
  /// device sleeps for the last part of it.
  case background(for: Duration, deviceAsleep: Duration = .zero)
  /// Somebody repeats a report: a transition that does not change the phase.
  case duplicate(LifecycleEvent.Kind)
  /// Memory is scarce: `didReceiveMemoryWarning`.
  case memoryWarning
  /// Any report, as it is: a notice, or a transition of which the bus fills in what is skipped.
  case send(LifecycleEvent.Kind)

  // MARK: The end of the process

  /// It ends properly: `willTerminate`.
  case terminate
  /// It is killed: nobody is told anything. See ``ScriptedLifecycle``.
  case kill
  /// It is launched again, after ``terminate``, ``kill`` or ``restartDevice(for:)``.
  case relaunch

  // MARK: Time

  /// Time passes.
  case advance(by: Duration)
  /// Time passes, and the device sleeps.
  case sleepDevice(for: Duration)
  /// Time passes, and the process is stopped, as by SIGSTOP.
  case stopProcess(for: Duration)
  /// The user sets the clock.
  case setWallClock(by: Duration)
  /// The device is off for that long and starts again: a process that runs is killed, and the clocks that
  /// count from the boot begin anew.
  case restartDevice(for: Duration)
}

extension LifecycleStep: CustomStringConvertible {
  /// As it is written in Swift, with durations in seconds: `background(for: 90 s, deviceAsleep: 60 s)`.
  public var description: String {
    switch self {
    case .launch: "launch"
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
    case .restartDevice(let duration): "restartDevice(for: \(duration.text))"
    }
  }
}

import Foundation
import LifecycleSources
import LifecycleTesting
import ProgramReporting
import ReactiveLifecycle
import RentalCountdown

/// A rental view model in virtual time, on a bus that is fed by a real notification centre. It keeps
/// a transcript: what the test did, what the bus delivered, what the screen showed.
@MainActor
final class RentalScreen {
  let clock = ManualClock()
  let bus: LifecycleBus
  let viewModel: RentalViewModel
  private(set) var transcript: [String] = []

  private let center = NotificationCenter()
  private let connection: LifecycleCancellable
  private let recording = LifecycleScope("recording")
  private let application = NSObject()

  init(seconds: Int) throws {
    bus = LifecycleBus(clock: clock)
    connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    viewModel = RentalViewModel(seconds: seconds, bus: bus)
    viewModel.onUpdate = { [unowned self] in note("  \(Self.description(of: $0))") }
    bus.addObserver(in: recording) { [unowned self] event in
      note("  #\(event.sequenceNumber) \(event.kind), \(event.origin)")
    }
  }

  func note(_ line: String) {
    transcript.append(line)
  }

  /// Clears the transcript, and hands out what was in it.
  func takeTranscript() -> [String] {
    defer { transcript = [] }
    return transcript
  }

  var liveObservers: Int {
    bus.liveSubscriptions.count { $0.location.scope == "rental" }
  }

  // MARK: What the user and the system do

  func appear() {
    note("appear")
    viewModel.appear()
  }

  func disappear() {
    note("disappear")
    viewModel.disappear()
  }

  /// The system posts with the application as the object, the delegate posts again without.
  func post(_ name: String) {
    note("post \(name), twice")
    let name = Notification.Name("UIApplication\(name)Notification")
    center.post(name: name, object: application)
    center.post(name: name, object: nil)
  }

  func enterBackground() {
    post("WillResignActive")
    post("DidEnterBackground")
  }

  func enterForeground() {
    post("WillEnterForeground")
    post("DidBecomeActive")
  }

  func pass(_ duration: Duration) {
    note("\(duration) pass")
    clock.advance(by: duration)
  }

  func sleepDevice(_ duration: Duration) {
    note("device sleeps for \(duration)")
    clock.sleepDevice(for: duration)
  }

  private static func description(of update: CountdownDisplay.Update) -> String {
    switch update {
    case .tick(let remaining, _): "\(remaining) s remain"
    case .returned(let stay): "away for \(stay.duration), asleep for \(stay.timeAsleep)"
    case .finished: "finished"
    }
  }
}

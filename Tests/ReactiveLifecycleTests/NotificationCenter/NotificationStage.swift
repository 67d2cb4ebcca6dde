import Foundation
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// A real centre, and a bus that is connected to it as a program would do it. It plays scripts, and
/// writes down what the observers saw before each post returned.
///
/// ```text
/// app.willEnterForeground     posted with the application as `UIApplicationWillEnterForeground…`
/// main.didActivate            posted with the scene whose session is called `main`
/// main'.willConnect           another scene object of that session
/// launch main                 a cold launch with that scene, as documented; says where it ends
/// release main                lets go of the scene
/// wait 4 h                    also `s` and `min`, in virtual time
/// phase, participants              writes down what the bus says
/// ```
@MainActor
final class NotificationStage {
  /// Which sources are connected, in that order.
  enum Feed: CaseIterable {
    case application, scenes, both, bothScenesFirst
  }

  /// A scene, which can tell its session.
  private final class Scene: NSObject {
    let session: String

    init(session: String) { self.session = session }
  }

  let center = NotificationCenter()
  let clock = ManualClock()
  let bus: LifecycleBus
  private var connections: [LifecycleCancellable] = []
  private let application = NSObject()
  private var scenes: [String: Scene] = [:]
  private var lines: [String] = []
  private var reasons: [String] = []
  private(set) var events: [LifecycleEvent] = []
  /// How many of them belong to a `launch`.
  private(set) var launchEvents = 0
  private var token: LifecycleCancellable?
  private var suppressed: AnyCancellable?

  static let scenesTable = NotificationTable.uiScenes { ($0 as? Scene)?.session }

  init(_ feed: Feed) throws {
    bus = LifecycleBus(clock: clock)
    token = bus.addObserver { [unowned self] event in
      events.append(event)
      lines.append(event.scriptLine)
    }
    suppressed = bus.suppressedInputs.sink { [unowned self] input in
      reasons.append(input.reason.rawValue)
    }
    if feed == .bothScenesFirst { try connectScenes() }
    if feed != .scenes {
      connections.append(
        try bus.connect(.notificationCenter(center, table: .uiApplication, name: "uiApplication"))
      )
    }
    if feed == .scenes || feed == .both { try connectScenes() }
  }

  private func connectScenes() throws {
    connections.append(
      try bus.connect(
        NotificationCenterSource(center: center, table: Self.scenesTable, name: "uiScenes")
      )
    )
  }

  /// Plays the commands.
  ///
  /// - Returns: A line for each, then one for the participants.
  func play(_ commands: [String]) -> String {
    var lines = commands.map { command in
      Self.line(command, withExtendedLifetime(self) { perform(command) })
    }
    lines.append(Self.line("participants", participants))
    return lines.joined(separator: "\n")
  }

  private func perform(_ command: String) -> String {
    let words = command.split(separator: " ").map(String.init)
    switch words[0] {
    case "phase": return bus.phase.rawValue
    case "release": scenes[words[1]] = nil
    case "wait":
      let seconds = ["s": 1, "min": 60, "h": 3600][words[2]]!
      clock.advance(by: .seconds(Int(words[1])! * seconds))
    case "participants": return participants
    case "launch":
      launch(words[1])
      (lines, reasons) = ([], [])
      return bus.phase.rawValue
    default: post(command)
    }
    defer { (lines, reasons) = ([], []) }
    // One notification may reach two sources.
    if !reasons.isEmpty {
      lines.append(
        [lines.popLast(), "[\(reasons.joined(separator: ", "))]"]
          .compactMap { $0 }.joined(separator: " ")
      )
    }
    return lines.joined(separator: "\n" + Self.margin)
  }

  private func launch(_ scene: String) {
    post("app.didFinishLaunching")
    post("\(scene).willConnect")
    for pair in [
      ("willEnterForeground", "willEnterForeground"), ("didActivate", "didBecomeActive"),
    ] {
      post("\(scene).\(pair.0)")
      post("app.\(pair.1)")
    }
    launchEvents = events.count
  }

  private func post(_ command: String) {
    let (who, what) = (command.prefix { $0 != "." }, command.drop { $0 != "." }.dropFirst())
    let isApplication = who == "app"
    var name = (isApplication ? "UIApplication" : "UIScene") + what.prefix(1).uppercased()
    name += what.dropFirst() + (what.hasPrefix("protectedData") ? "" : "Notification")
    let table = isApplication ? NotificationTable.uiApplication : Self.scenesTable
    guard table.names.contains(name) else {
      Issue.record("nobody posts \(name)")
      return
    }
    guard !isApplication else {
      return center.post(name: Notification.Name(name), object: application)
    }
    let session = String(who.prefix { $0 != "'" })
    let scene = scenes[String(who)] ?? Scene(session: session)
    scenes[String(who)] = scene
    center.post(name: Notification.Name(name), object: scene)
  }

  private var participants: String {
    let participants = bus.diagnostics.participants.map { "\($0.name) \($0.phase)" }
    return participants.isEmpty ? "none" : participants.joined(separator: ", ")
  }

  // MARK: Text

  private static let margin = String(repeating: " ", count: 28)

  private static func line(_ command: String, _ outcome: String) -> String {
    guard !outcome.isEmpty else { return command }
    return command.padding(toLength: max(28, command.count + 1), withPad: " ", startingAt: 0)
      + outcome
  }

  /// The commands in what ``play(_:)`` writes.
  static func commands(in text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.dropLast().map { line in
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "wait": return words.prefix(3).joined(separator: " ")
      case "launch", "release": return words.prefix(2).joined(separator: " ")
      default: return words[0]
      }
    }
  }
}

extension LifecycleEvent {
  /// The event as scripts show it: `willEnterForeground → inactive, main, away 60 s`.
  fileprivate var scriptLine: String {
    var parts = [kind.isTransition ? "\(kind) → \(phase)" : "\(kind)"]
    if let scene = metadata["scene"] { parts.append(scene) }
    if origin == .synthesized { parts.append("filled in") }
    if let backgroundStay { parts.append("away \(backgroundStay.timeAway.components.seconds) s") }
    return parts.joined(separator: ", ")
  }
}

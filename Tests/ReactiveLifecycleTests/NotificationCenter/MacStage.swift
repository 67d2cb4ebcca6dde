import Foundation
import LifecycleSupport
import LifecycleTesting

@testable import ReactiveLifecycle

/// What the application is, and what its observers have seen.
private final class Application: Sendable {
  let state = Locked<AppKitState?>(
    AppKitState(isActive: false, isHidden: false, isVisible: false)
  )
  let events = Locked<[String]>([])
}

/// A Mac application as its bus sees it: a real centre, the raw names that AppKit and the workspace post,
/// and what the application says of itself meanwhile.
@MainActor
final class MacStage {
  let clock = ManualClock()
  let bus: LifecycleBus
  private let center = NotificationCenter()
  private let workspaceCenter = NotificationCenter()
  private let application = Application()
  private var connections: [LifecycleCancellable] = []
  private var token: LifecycleCancellable?
  private(set) var transcript: [String] = []

  init() {
    bus = LifecycleBus(clock: clock)
    token = bus.addObserver { [application] event in
      let stay = event.backgroundStay.map { ", away \($0.timeAway.components.seconds) s" } ?? ""
      let origin = event.origin == .synthesized ? "*" : ""
      application.events.withLock { $0.append("\(event.kind)\(origin)\(stay)") }
    }
  }

  /// Connects the application.
  ///
  /// - Parameter isLaunched: Whether it has been launched before.
  func connect(_ background: AppKitBackground, isLaunched: Bool = false) throws {
    let launch = "NSApplicationDidFinishLaunchingNotification"
    let source = NotificationCenterSource(
      center: center,
      table: .nsApplication(background: background) { [application] in
        application.state.withLock { $0 }
      },
      name: "nsApplication"
    ) {
      isLaunched ? [Notification(name: Notification.Name(launch))] : []
    }
    connections.append(try bus.connect(source))
    note("connect")
  }

  func connectWorkspace(to bus: LifecycleBus? = nil) throws {
    let source = NotificationCenterSource.notificationCenter(
      workspaceCenter,
      table: .workspace,
      name: "workspace"
    )
    connections.append(try (bus ?? self.bus).connect(source))
  }

  /// Lets the application be something else, without saying so.
  func set(active: Bool? = nil, hidden: Bool? = nil, visible: Bool? = nil) {
    application.state.withLock { state in
      if let active { state!.isActive = active }
      if let hidden { state!.isHidden = hidden }
      if let visible { state!.isVisible = visible }
    }
  }

  func forget() { application.state.withLock { $0 = nil } }

  /// Posts `NSApplication…Notification`, and notes what observers had seen when the post returned.
  func post(_ stems: String...) {
    for stem in stems {
      center.post(name: Notification.Name("NSApplication\(stem)Notification"), object: nil)
      note(stem)
    }
  }

  /// Posts `NSWorkspace…Notification` to the workspace's own centre.
  func postWorkspace(_ stems: String...) {
    for stem in stems {
      let name = Notification.Name("NSWorkspace\(stem)Notification")
      center.post(name: name, object: nil)
      workspaceCenter.post(name: name, object: nil)
      note(stem)
    }
  }

  /// Hands out the transcript and starts again.
  func take() -> [String] {
    defer { transcript = [] }
    return transcript
  }

  private func note(_ cause: String) {
    let lines = application.events.withLock { lines in
      defer { lines = [] }
      return lines
    }
    let effect = lines.isEmpty ? "" : ": \(lines.joined(separator: ", "))"
    transcript.append("\(cause)\(effect) → \(bus.phase)")
  }
}

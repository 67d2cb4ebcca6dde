import Foundation
import ReactiveLifecycle
import TestSupport
import Testing

/// Random scripts of three scenes and their application, legal or not, against a table of the phases.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter NotificationRandom` runs that seed
/// alone.
@MainActor
@Suite("UIKit scripts: random")
struct NotificationRandomTests {
  private static let count: UInt64 = 3_000

  /// What is said, by whom, and the phase that follows.
  private struct Reference {
    /// Where each notification leads from unknown, background, inactive and active.
    static let moves: [String: [LifecyclePhase]] = [
      "launch": [.background, .background, .inactive, .active],
      "foreground": [.inactive, .inactive, .inactive, .active],
      "activate": [.active, .active, .active, .active],
      "deactivate": [.inactive, .background, .inactive, .inactive],
      "background": [.background, .background, .background, .background],
    ]

    private var says: [String: LifecyclePhase] = [:]
    /// What scenes said last that were released without a word.
    private var ghosts: [LifecyclePhase] = []
    private(set) var phase = LifecyclePhase.unknown

    mutating func receive(_ what: String, of whom: String) {
      guard phase != .terminated else { return }
      if what == "end" {
        says[whom] = nil
        if whom == "app" { return phase = .terminated }
      } else {
        let column = [.unknown: 0, .background: 1, .inactive: 2, .active: 3][
          says[whom] ?? .unknown
        ]!
        says[whom] = Self.moves[what]![column]
      }
      settle()
      if whom != "app" {
        ghosts = []
        settle()
      }
    }

    mutating func release(_ whom: String) {
      if let phase = says.removeValue(forKey: whom) { ghosts.append(phase) }
    }

    private mutating func settle() {
      phase = (says.values + ghosts).max() ?? phase
    }
  }

  private static let names: [String: (application: String, scene: String)] = [
    "launch": ("DidFinishLaunching", "WillConnect"),
    "foreground": ("WillEnterForeground", "WillEnterForeground"),
    "activate": ("DidBecomeActive", "DidActivate"),
    "deactivate": ("WillResignActive", "WillDeactivate"),
    "background": ("DidEnterBackground", "DidEnterBackground"),
    "end": ("WillTerminate", "DidDisconnect"),
  ]
  private static let kinds = names.keys.sorted()

  /// Plays one script.
  ///
  /// - Returns: What is wrong, and how many events there were; nil if nothing is.
  private func play(_ seed: UInt64) throws -> (failure: String?, events: Int, ended: Bool) {
    var generator = SeededGenerator(seed: seed)
    let feed = NotificationStage.Feed.allCases[Int(seed % 4)]
    let stage = try NotificationStage(feed)
    var scenes = (0..<3).map { _ in NSObject() }
    let application = NSObject()
    var reference = Reference()
    var script: [String] = []
    for _ in 0..<30 {
      let whom = Int.random(in: 0..<4, using: &generator)
      if whom < 3, Int.random(in: 0..<20, using: &generator) == 0 {
        script.append("scene \(whom) released")
        scenes[whom] = NSObject()
        reference.release("\(whom)")
      }
      var what = Self.kinds.randomElement(using: &generator)!
      // The end of the application is rare, so that scripts have time.
      if whom == 3, what == "end", Int.random(in: 0..<8, using: &generator) != 0 { what = "launch" }
      script.append("\(whom == 3 ? "app" : "scene \(whom)") \(what)")
      let name = Self.names[what]!
      if whom == 3 {
        if feed != .scenes || ["launch", "end"].contains(what) {
          reference.receive(what, of: "app")
        }
        let name = Notification.Name("UIApplication\(name.application)Notification")
        stage.center.post(name: name, object: application)
      } else {
        if feed != .application { reference.receive(what, of: "\(whom)") }
        let name = Notification.Name("UIScene\(name.scene)Notification")
        stage.center.post(name: name, object: scenes[whom])
        // Connected again with another scene, or the same.
        if what == "end", Bool.random(using: &generator) { scenes[whom] = NSObject() }
      }
      guard stage.bus.phase == reference.phase else {
        let text = "\(stage.bus.phase) instead of \(reference.phase) after \(script)"
        return (text, stage.events.count, false)
      }
    }
    let step = stage.events.firstIllegalStep.map { "\($0) in \(script)" }
    return withExtendedLifetime((stage, scenes, application)) {
      (step, stage.events.count, reference.phase == .terminated)
    }
  }

  @Test("3,000 random scripts reach the phases of the reference, along legal paths")
  func randomScripts() throws {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
    var failures = 0
    var events = 0
    var ended = 0
    for seed in chosen.map({ $0...$0 }) ?? 1...Self.count where failures < 3 {
      let result = try play(seed)
      events += result.events
      ended += result.ended ? 1 : 0
      guard let failure = result.failure else { continue }
      failures += 1
      Issue.record("LIFECYCLE_SEED=\(seed), \(failure)")
    }
    guard chosen == nil, failures == 0 else { return }
    #expect(events > 5 * Int(Self.count))
    #expect(ended > 100)
  }
}

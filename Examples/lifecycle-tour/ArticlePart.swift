import Foundation
import LifecycleFlightRecording
import ReactiveLifecycle

/// Part 1: the hand-written observer and the bus receive the same notifications.
@MainActor
struct ArticlePart {
  private let narrator: Narrator
  private let bus = LifecycleBus()

  static func run(_ narrator: Narrator, recordings: TourRecordings?) throws {
    narrator.title("1. The same screen, with a handwritten observer and with the bus")
    var part: ArticlePart? = ArticlePart(narrator: narrator)
    let recorder = part.map { FlightRecorder(of: $0.bus) }
    try part?.run()
    // The bus ends.
    part = nil
    if let recorder { recordings?.add(recorder.recording, of: "article") }
  }

  private func run() throws {
    let connection = try bus.connect(.notificationCenter(table: .uiApplication))
    defer { connection.cancel() }
    narrator.writeLine(
      """
      A screen in two versions appears three times and disappears twice. Then the application
      enters the background and returns. The system posts a notification for each change, and the
      application's delegate posts it again.
      """
    )
    var before: ScreenBefore? = ScreenBefore()
    var after: ScreenAfter? = LifecycleBus.withApplication(bus) { ScreenAfter() }
    weak let weakBefore = before
    weak let weakAfter = after
    before?.viewWillAppear()
    after?.viewWillAppear()
    for _ in 2...3 {
      before?.viewWillDisappear()
      after?.viewWillDisappear()
      before?.viewWillAppear()
      after?.viewWillAppear()
    }
    visitBackground()
    let calls = Comparison(before?.refreshes ?? 0, after?.refreshes ?? 0)

    before?.viewWillDisappear()
    after?.viewWillDisappear()
    visitBackground()
    let all = Comparison(before?.refreshes ?? 0, after?.refreshes ?? 0)
    let late = Comparison(all.byHand - calls.byHand, all.onBus - calls.onBus)
    let repeated = bus.diagnostics.suppressedCounts[.duplicate, default: 0]
    let registered = Comparison(observersLeft(before), bus.diagnostics.liveSubscriptions.count)
    before = nil
    after = nil
    let leaked = Comparison(weakBefore == nil ? 0 : 1, weakAfter == nil ? 0 : 1)

    tabulate([
      ("calls for one return, while visible", calls),
      ("calls for one return, after it disappeared", late),
      ("observers left at the end", registered),
      ("screens that are never released", leaked),
    ])
    narrator.claim("by hand: called for each appearance and each post, six times", calls.byHand, 6)
    narrator.claim("bus: called once", calls.onBus, 1)
    narrator.claim("by hand: removing the observer had no effect", late.byHand, 6)
    narrator.claim("by hand: three observers are left", registered.byHand, 3)
    narrator.claim("bus: nothing is left", registered.onBus + late.onBus + leaked.onBus, 0)
    narrator.claim("by hand: the screen is leaked", leaked.byHand, 1)
    narrator.claim("bus: the delegate's four duplicates were suppressed", repeated, 4)
  }

  /// Posts what the system and the delegate post when the user leaves the application and returns.
  private func visitBackground() {
    let application = NSObject()
    for name in [Notification.Name.didEnterBackground, .willEnterForeground] {
      NotificationCenter.default.post(name: name, object: application)
      NotificationCenter.default.post(name: name, object: nil)
    }
  }

  /// Returns the number of observers that are left.
  ///
  /// The notification center does not report it, but each of them answers one post.
  private func observersLeft(_ screen: ScreenBefore?) -> Int {
    let refreshes = screen?.refreshes ?? 0
    NotificationCenter.default.post(name: .willEnterForeground, object: nil)
    return (screen?.refreshes ?? 0) - refreshes
  }
}

extension ArticlePart {
  private struct Comparison {
    let byHand: Int
    let onBus: Int

    init(_ byHand: Int, _ onBus: Int) {
      self.byHand = byHand
      self.onBus = onBus
    }
  }

  private func tabulate(_ rows: [(String, Comparison)]) {
    narrator.writeLine("")
    narrator.writeLine(Self.row("", "by hand", "bus"))
    for (text, values) in rows {
      narrator.writeLine(Self.row(text, "\(values.byHand)", "\(values.onBus)"))
    }
    narrator.writeLine("")
  }

  private static func row(_ text: String, _ byHand: String, _ onBus: String) -> String {
    let text = "    \(text)".padding(toLength: 48, withPad: " ", startingAt: 0)
    let byHand = String(repeating: " ", count: 10 - byHand.count) + byHand
    return text + byHand + String(repeating: " ", count: 8 - onBus.count) + onBus
  }
}

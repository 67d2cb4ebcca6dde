import Foundation
import LifecycleSources
import ReactiveLifecycle

/// Part 1: the hand-written observer and the bus receive the same notifications.
@MainActor
struct ArticlePart {
  private let narrator: Narrator
  private let bus = LifecycleBus()

  static func run(_ narrator: Narrator) throws {
    narrator.title("1. The article's observer, written by hand, and on the bus")
    try ArticlePart(narrator: narrator).run()
  }

  private func run() throws {
    let connection = try bus.connect(.notificationCenter(table: .uiApplication))
    defer { connection.cancel() }
    narrator.tell(
      """
      One screen in two versions. It appears, disappears, appears, disappears, appears; then the
      application goes to the background and comes back. Each time the system posts a notification,
      and the application's delegate posts it again.
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
    let repeated = bus.suppressedCount(.duplicate)
    let registered = Comparison(observersLeft(before), bus.liveSubscriptions.count)
    before = nil
    after = nil
    let leaked = Comparison(weakBefore == nil ? 0 : 1, weakAfter == nil ? 0 : 1)

    tabulate([
      ("calls on one return, in sight", calls),
      ("calls on one return, after it disappeared", late),
      ("observers of the return left at the end", registered),
      ("screens that are never released", leaked),
    ])
    narrator.claim("by hand: once per appearance and per post, so six times", calls.byHand, 6)
    narrator.claim("the bus: once", calls.onBus, 1)
    narrator.claim("by hand: removing removed nothing", late.byHand, 6)
    narrator.claim("by hand: three observers are left, and their screen", registered.byHand, 3)
    narrator.claim("the bus: nothing is left", registered.onBus + late.onBus + leaked.onBus, 0)
    narrator.claim("by hand: the screen leaks", leaked.byHand, 1)
    narrator.claim("the bus dropped what the delegate repeated: four posts", repeated, 4)
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
    narrator.tell("")
    narrator.tell(Self.row("", "by hand", "bus"))
    for (text, values) in rows {
      narrator.tell(Self.row(text, "\(values.byHand)", "\(values.onBus)"))
    }
    narrator.tell("")
  }

  private static func row(_ text: String, _ byHand: String, _ onBus: String) -> String {
    let text = "    \(text)".padding(toLength: 48, withPad: " ", startingAt: 0)
    let byHand = String(repeating: " ", count: 10 - byHand.count) + byHand
    return text + byHand + String(repeating: " ", count: 8 - onBus.count) + onBus
  }
}

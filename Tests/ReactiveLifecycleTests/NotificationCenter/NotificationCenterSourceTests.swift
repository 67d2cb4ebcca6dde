import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A real `NotificationCenter`, and the raw names of `UIApplication`.
@MainActor
@Suite("NotificationCenter source")
struct NotificationCenterSourceTests {
  private let center = NotificationCenter()
  private let clock = ManualClock()
  private let bus: LifecycleBus
  private let application = NSObject()

  init() { bus = LifecycleBus(clock: clock) }

  private func post(_ name: String, object: Any? = nil, userInfo: [String: Any]? = nil) {
    center.post(
      name: Notification.Name(name),
      object: object as AnyObject?,
      userInfo: userInfo
    )
  }

  @Test("Each row of the UIApplication table is an event, once if the delegate posts it again")
  func uiApplicationTable() throws {
    try bus.connect(.notificationCenter(center, table: .uiApplication)).store(in: scope)
    var events: [LifecycleEvent] = []
    bus.addObserver(in: scope) { events.append($0) }
    func postTwice(_ stems: String...) {
      for stem in stems {
        post("UIApplication\(stem)Notification", object: application)
        post("UIApplication\(stem)Notification")
      }
    }
    postTwice("DidFinishLaunching", "WillEnterForeground", "DidBecomeActive")
    post("UIApplicationDidReceiveMemoryWarningNotification")
    post("UIApplicationSignificantTimeChangeNotification")
    post("UIApplicationProtectedDataWillBecomeUnavailable")
    post("UIApplicationProtectedDataDidBecomeAvailable")
    postTwice("WillResignActive", "DidEnterBackground")
    clock.advance(by: .seconds(90))
    postTwice("WillEnterForeground", "WillTerminate")
    expectNoDifference(
      events.filter { $0.origin == .source("notificationCenter") }.map(\.kind),
      [
        .didFinishLaunching, .willEnterForeground, .didBecomeActive, .didReceiveMemoryWarning,
        .significantTimeChange, .protectedDataWillBecomeUnavailable,
        .protectedDataDidBecomeAvailable, .willResignActive, .didEnterBackground,
        .willEnterForeground, .willTerminate,
      ]
    )
    expectNoDifference(events.compactMap { $0.backgroundStay?.timeAway }, [.seconds(90)])
    expectNoDifference(bus.diagnostics.suppressedCounts[.duplicate, default: 0], 6)
  }

  @Test("A post that is in delivery when the connection is cancelled is suppressed as disconnected")
  func cancelledInPost() throws {
    // The centre still calls an observer that is removed during the post; whichever of the two
    // sources hears first cancels the other.
    let connections = try ["one", "two"].map {
      try bus.connect(
        .notificationCenter(
          center,
          table: ["Wake": .systemDidWake],
          name: LifecycleSourceName(rawValue: $0)
        )
      )
    }
    var kinds: [LifecycleEvent.Kind] = []
    bus.addObserver(in: scope) { event in
      kinds.append(event.kind)
      connections[event.origin == .source("one") ? 1 : 0].cancel()
    }
    post("Wake")
    expectNoDifference(kinds, [.systemDidWake])
    expectNoDifference(bus.diagnostics.suppressedCounts[.disconnected, default: 0], 1)
  }

  @Test("A row extracts text from its notification; no notification leaves the source")
  func userInfo() throws {
    var table: NotificationTable = ["Plain": .systemWillSleep]
    table.add(.systemDidWake, for: "Wake") { notification in
      ["reason": notification.userInfo?["reason"] as? String ?? "unknown"]
    }
    expectNoDifference(table.names, ["Plain", "Wake"])
    try bus.connect(
      .notificationCenter(center, table: table, name: "workspace")
    ).store(in: scope)
    var seen: [String] = []
    bus.addObserver(in: scope) { seen.append("\($0.kind) \($0.origin) \($0.metadata)") }
    post("Wake", userInfo: ["reason": "lid", "other": 1])
    post("Wake")
    post("Plain", userInfo: ["reason": "ignored"])
    post("Unlisted")
    expectNoDifference(
      seen,
      [
        "systemDidWake source(workspace) [\"reason\": \"lid\"]",
        "systemDidWake source(workspace) [\"reason\": \"unknown\"]",
        "systemWillSleep source(workspace) [:]",
      ]
    )
  }

  @Test("Posted on another thread, which makes the text, the input follows on the main actor")
  func postedElsewhere() async throws {
    let threads = Locked<[ObjectIdentifier]>([])
    var table = NotificationTable()
    table.add(.didEnterBackground, for: "Hidden") { _ in
      threads.withLock { $0.append(currentThread()) }
      return [:]
    }
    let connection = try bus.connect(.notificationCenter(center, table: table))
    let center = center
    await withCheckedContinuation { continuation in
      let token = bus.addObserver(for: [.didEnterBackground]) { _ in
        MainActor.assertIsolated()
        continuation.resume()
      }
      Thread {
        threads.withLock { $0.append(currentThread()) }
        center.post(name: Notification.Name("Hidden"), object: nil)
        _ = token
      }.start()
      hold(token)
    }
    expectNoDifference(bus.phase, .background)
    let found = threads.withLock { $0 }
    #expect(found.count == 2 && found.first == found.last)
    connection.cancel()
    scope.end()
  }

  private final class Captured: Sendable {}

  @Test(
    "A released connection leaves no observer in the centre, and nothing that its table captured"
  )
  func released() throws {
    let calls = Locked(0)
    weak var captured: Captured?
    do {
      let object = Captured()
      captured = object
      var table = NotificationTable.uiApplication
      table.add(.willEnterForeground, for: "Replaced")
      table.add(.didBecomeActive, for: "Replaced") { _ in
        withExtendedLifetime(object) { calls.withLock { $0 += 1 } }
        return [:]
      }
      let connection = try bus.connect(.notificationCenter(center, table: table))
      post("Replaced")
      expectNoDifference(bus.phase, .active, "the second meaning of a name replaces the first")
      withExtendedLifetime(connection) {}
    }
    post("Replaced")
    expectNoDifference(calls.withLock { $0 }, 1)
    #expect(captured == nil)
    expectNoDifference(bus.diagnostics.suppressedCounts[.disconnected, default: 0], 0)
  }

  private let scope = LifecycleScope()
  private func hold(_ token: LifecycleCancellable) { token.store(in: scope) }
}

import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// The raw names of watchOS, and those about the host of an app extension.
@MainActor
@Suite("Notification scripts: watch and extensions")
struct WatchAndExtensionScriptTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())
  private let scope = LifecycleScope("test")

  private func phases(_ table: NotificationTable, _ prefix: String, _ stems: [String]) throws
    -> [String]
  {
    let connection = try bus.connect(.notificationCenter(center, table: table))
    var lines: [String] = []
    var kinds: [String] = []
    let token = bus.addObserver { event in kinds.append(event.kind.rawValue) }
    for stem in stems {
      center.post(name: Notification.Name("\(prefix)\(stem)Notification"), object: NSObject())
      lines.append("\(stem): \(kinds.joined(separator: " ")) → \(bus.phase)")
      kinds = []
    }
    connection.cancel()
    token.cancel()
    return lines
  }

  @Test(
    "A watch application is in the background when the wrist is lowered"
  )
  func watchIsLoweredWithTheWrist() throws {
    let lines = try phases(
      .wkApplication,
      "WKApplication",
      [
        "DidFinishLaunching", "WillEnterForeground", "DidBecomeActive", "WillResignActive",
        "DidEnterBackground", "DidEnterBackground", "WillEnterForeground",
      ]
    )
    expectNoDifference(
      lines,
      [
        "DidFinishLaunching: didFinishLaunching → background",
        "WillEnterForeground: willEnterForeground → inactive",
        "DidBecomeActive: didBecomeActive → active",
        "WillResignActive: willResignActive → inactive",
        "DidEnterBackground: didEnterBackground → background",
        "DidEnterBackground:  → background",
        "WillEnterForeground: willEnterForeground → inactive",
      ]
    )
  }

  @Test("A keyboard has its host's phase, which is unknown at first")
  func extensionHost() throws {
    expectNoDifference(bus.phase, .unknown)
    let lines = try phases(
      .extensionHost,
      "NSExtensionHost",
      [
        "WillResignActive", "DidEnterBackground", "WillEnterForeground", "DidBecomeActive",
        "DidBecomeActive",
      ]
    )
    expectNoDifference(
      lines,
      [
        "WillResignActive: didFinishLaunching willEnterForeground didBecomeActive "
          + "willResignActive → inactive",
        "DidEnterBackground: didEnterBackground → background",
        "WillEnterForeground: willEnterForeground → inactive",
        "DidBecomeActive: didBecomeActive → active",
        "DidBecomeActive:  → active",
      ]
    )
  }

  @Test("An extension on macOS, whose host posts nothing, runs in the background, until it ends")
  func macExtension() throws {
    try bus.connect(.macExtension).store(in: scope)
    expectNoDifference(bus.phase, .background)
    for stem in ["DidFinishLaunching", "DidBecomeActive"] {
      NotificationCenter.default.post(
        name: Notification.Name("NSApplication\(stem)Notification"),
        object: nil
      )
      expectNoDifference(bus.phase, .background)
    }
    // An extension that has a view.
    bus.send(.willEnterForeground)
    expectNoDifference(bus.phase, .inactive)
    bus.send(.didEnterBackground)
    expectNoDifference(bus.phase, .background)
    NotificationCenter.default.post(
      name: Notification.Name("NSApplicationWillTerminateNotification"),
      object: nil
    )
    expectNoDifference(bus.phase, .terminated)
  }

  @Test(
    "Notifications of an extension's host count for any object"
  )
  func extensionSource() throws {
    try bus.connect(.extensionHost).store(in: scope)
    NotificationCenter.default.post(
      name: Notification.Name("NSExtensionHostDidEnterBackgroundNotification"),
      object: NSObject()
    )
    expectNoDifference(bus.phase, .background)
    expectNoDifference(
      bus.diagnostics.participants.map(\.sources[0].origin),
      [.source("extensionHost")]
    )
  }
}

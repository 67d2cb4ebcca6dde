import CustomDump
import Foundation
import LifecycleSources
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// The raw names of watchOS, and those about the host of an app extension.
@MainActor
@Suite("Notification scripts: watch and extensions")
struct WatchAndExtensionScriptTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())

  private func phases(_ table: NotificationTable, _ prefix: String, _ stems: [String]) throws
    -> [String]
  {
    let connection = try bus.connect(.notificationCenter(center, table: table))
    var lines: [String] = []
    let kinds = Locked<[LifecycleEvent.Kind]>([])
    let token = bus.addObserver { event in kinds.withLock { $0.append(event.kind) } }
    for stem in stems {
      center.post(name: Notification.Name("\(prefix)\(stem)Notification"), object: NSObject())
      let seen = kinds.withLock { $0.map(\.rawValue).joined(separator: " ") }
      kinds.withLock { $0 = [] }
      lines.append("\(stem): \(seen) → \(bus.phase)")
    }
    connection.cancel()
    token.cancel()
    return lines
  }

  @Test("A watch application is launched, looked at, and lowered with the wrist")
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
    expectNoDifference(
      NotificationTable.wkApplication.names,
      [
        "WKApplicationDidBecomeActiveNotification", "WKApplicationDidEnterBackgroundNotification",
        "WKApplicationDidFinishLaunchingNotification",
        "WKApplicationWillEnterForegroundNotification", "WKApplicationWillResignActiveNotification",
      ]
    )
  }

  @Test("A keyboard hears of its host, of which it knows nothing at first")
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
    expectNoDifference(
      NotificationTable.extensionHost.names,
      [
        "NSExtensionHostDidBecomeActiveNotification",
        "NSExtensionHostDidEnterBackgroundNotification",
        "NSExtensionHostWillEnterForegroundNotification",
        "NSExtensionHostWillResignActiveNotification",
      ]
    )
  }

  @Test("An extension on macOS, whose host posts nothing, runs in the background, until it ends")
  func macExtension() throws {
    let connection = try bus.connect(.macExtension)
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
    connection.cancel()
  }

  @Test("No line of the module refers to UIApplication.shared, which an extension may not use")
  func sharedApplication() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/LifecycleSources")
      .standardized
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 50)
    let name = /UIApplication\s*\.\s*shared\b/
    for file in files {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      #expect(!text.contains(name), "\(file)")
    }
  }

  @Test(
    "Everybody's host notifications count: their object is the extension's context, not the host"
  )
  func extensionSource() throws {
    let connection = try bus.connect(.extensionHost)
    NotificationCenter.default.post(
      name: Notification.Name("NSExtensionHostDidEnterBackgroundNotification"),
      object: NSObject()
    )
    expectNoDifference(bus.phase, .background)
    expectNoDifference(
      bus.diagnostics.participants.map(\.sources[0].origin),
      [.source("extensionHost")]
    )
    connection.cancel()
  }
}

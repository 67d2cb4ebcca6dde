import CustomDump
import LifecycleTesting
import Testing

@testable import ReactiveLifecycle

@Suite("The kind of a process")
struct ProcessKindTests {
  private static let player = "/Applications/Player.app"

  /// The extension that an `Info.plist` describes, in a process where `View` is a view controller.
  private func appExtension(_ info: [String: Any]) -> ProcessKind {
    ProcessKind(bundle: "\(Self.player)/PlugIns/Part.appex", info: info) { $0 == "View" }
  }

  private func point(_ name: String, _ attributes: [String: Any] = [:]) -> [String: Any] {
    ["NSExtension": attributes.merging(["NSExtensionPointIdentifier": name]) { $1 }]
  }

  @Test("The bundle determines the kind of a process")
  func bundleTellsKind() {
    let watch = "\(Self.player)/Watch/Watch.app"
    let kinds: [(bundle: String, info: [String: Any], kind: ProcessKind)] = [
      (Self.player, [:], .application), ("\(Self.player)/", [:], .application),
      ("\(Self.player)/PlugIns/Part.appex", [:], .appExtension(hasView: false)),
      ("\(watch)/PlugIns/W.appex", point("com.apple.watchkit"), .application),
      ("/usr/local/bin", [:], .program), ("\(Self.player)/Contents/MacOS", [:], .program),
      ("", [:], .program),
    ]
    for (bundle, info, kind) in kinds {
      let found = ProcessKind(bundle: bundle, info: info) { _ in false }
      expectNoDifference(found, kind, "\(bundle)")
    }
    expectNoDifference(ProcessKind.current, .program)
  }

  @Test("A watch application of two targets is a WatchKit extension, one of one target is none")
  func watchExtension() {
    let bundles: [(String, [String: Any])] = [
      ("/Watch.app", [:]), ("/Watch.app/PlugIns/Code.appex", point("com.apple.watchkit")),
      ("/Watch.app/PlugIns/Widget.appex", point("com.apple.widgetkit-extension")),
    ]
    expectNoDifference(
      bundles.map { ProcessKind.isWatchExtension(bundle: $0.0, info: $0.1) },
      [false, true, false]
    )
    #expect(!ProcessKind.isWatchExtension)
  }

  @Test(
    "An extension with a view has its host's phase, at first unknown; others are in the background"
  )
  @MainActor func extensions() throws {
    let infos: [(String, [String: Any], LifecyclePhase)] = [
      ("widget", point("com.apple.widgetkit-extension"), .background),
      (
        "notification service",
        point("com.apple.usernotifications.service", ["NSExtensionPrincipalClass": "Service"]),
        .background
      ),
      (
        "App Intents",
        [
          "EXAppExtensionAttributes": [
            "EXExtensionPointIdentifier": "com.apple.appintents-extension"
          ]
        ],
        .background
      ),
      (
        "keyboard", point("com.apple.keyboard-service", ["NSExtensionPrincipalClass": "View"]),
        .unknown
      ),
      (
        "share sheet",
        point("com.apple.share-services", ["NSExtensionMainStoryboard": "MainInterface"]), .unknown
      ),
    ]
    for (name, info, phase) in infos {
      let bus = LifecycleBus(clock: ManualClock())
      let connection = try bus.connect(.extensionHost(in: appExtension(info)))
      expectNoDifference(bus.phase, phase, name)
      connection.cancel()
    }
  }
}

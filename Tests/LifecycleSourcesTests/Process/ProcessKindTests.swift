import CustomDump
import Testing

@testable import LifecycleSources

@Suite("What a process is")
struct ProcessKindTests {
  @Test("Its bundle tells")
  func bundleTellsKind() {
    let player = "/Applications/Player.app"
    let kinds = [
      ProcessKind(bundle: player, extensionPoint: nil),
      ProcessKind(bundle: "\(player)/", extensionPoint: nil),
      ProcessKind(
        bundle: "\(player)/PlugIns/Share.appex",
        extensionPoint: "com.apple.share-services"
      ),
      ProcessKind(bundle: "\(player)/PlugIns/Intents.appex", extensionPoint: nil),
      ProcessKind(
        bundle: "\(player)/Watch/Watch.app/PlugIns/W.appex",
        extensionPoint: "com.apple.watchkit"
      ),
      ProcessKind(bundle: "/usr/local/bin", extensionPoint: nil),
      ProcessKind(bundle: "/Applications/Player.app/Contents/MacOS", extensionPoint: nil),
      ProcessKind(bundle: "", extensionPoint: nil),
    ]
    expectNoDifference(
      kinds,
      [
        .application, .application, .appExtension, .appExtension, .application, .program, .program,
        .program,
      ]
    )
  }

  @Test("A watch application of two targets is a WatchKit extension, one of one target is none")
  func watchExtension() {
    let bundles: [(String, String?)] = [
      ("/Watch.app", nil), ("/Watch.app/PlugIns/Code.appex", "com.apple.watchkit"),
      ("/Watch.app/PlugIns/Widget.appex", "com.apple.widgetkit-extension"),
    ]
    expectNoDifference(
      bundles.map { ProcessKind.isWatchExtension(bundle: $0.0, extensionPoint: $0.1) },
      [false, true, false]
    )
    #expect(!ProcessKind.isWatchExtension)
  }

  @Test("A command-line program is a program")
  func currentProcessIsAProgram() {
    expectNoDifference(ProcessKind.current, .program)
  }
}

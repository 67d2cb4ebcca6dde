import CustomDump
import Testing

@testable import LifecycleSources

@Suite("What a process is")
struct ProcessKindTests {
  @Test("Its bundle tells")
  func bundleTellsKind() {
    let player = "/Applications/Player.app"
    let kinds: [(bundle: String, extensionPoint: String?, kind: ProcessKind)] = [
      (player, nil, .application), ("\(player)/", nil, .application),
      ("\(player)/PlugIns/Share.appex", "com.apple.share-services", .appExtension),
      ("\(player)/PlugIns/Intents.appex", nil, .appExtension),
      ("\(player)/Watch/Watch.app/PlugIns/W.appex", "com.apple.watchkit", .application),
      ("/usr/local/bin", nil, .program), ("\(player)/Contents/MacOS", nil, .program),
      ("", nil, .program),
    ]
    for (bundle, point, kind) in kinds {
      expectNoDifference(ProcessKind(bundle: bundle, extensionPoint: point), kind, "\(bundle)")
    }
    expectNoDifference(ProcessKind.current, .program)
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
}

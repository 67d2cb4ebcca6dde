import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// The kind of a process, with regard to its lifecycle.
package enum ProcessKind: Hashable {
  /// A process with windows, or with an interface on a watch, which the user opens.
  case application
  /// A part of an application that runs in a separate process, for another application or for the
  /// system.
  ///
  /// - Parameter hasView: Whether it shows a view controller in the application that hosts it.
  ///   Without UIKit, only a storyboard shows that.
  case appExtension(hasView: Bool)
  /// Any other process: signals determine its lifecycle on macOS, Linux and elsewhere.
  case program

  package static let current = Self(
    bundle: Bundle.main.bundlePath,
    info: Bundle.main.infoDictionary ?? [:],
    isViewController: isViewController
  )

  /// A Boolean value that indicates whether the process is a WatchKit extension.
  ///
  /// That is the program of a watch application that has two targets.
  static let isWatchExtension = isWatchExtension(
    bundle: Bundle.main.bundlePath,
    info: Bundle.main.infoDictionary ?? [:]
  )

  static func isWatchExtension(bundle: String, info: [String: Any]) -> Bool {
    let point = (info["NSExtension"] as? [String: Any])?["NSExtensionPointIdentifier"] as? String
    return URL(filePath: bundle).pathExtension == "appex" && point == "com.apple.watchkit"
  }

  /// - Parameters:
  ///   - bundle: The path of the main bundle.
  ///   - info: The contents of the bundle's `Info.plist`.
  ///   - isViewController: Returns whether the class of a name is a view controller.
  init(bundle: String, info: [String: Any], isViewController: (String) -> Bool) {
    self =
      switch URL(filePath: bundle).pathExtension {
      // Until watchOS 7, the program of a watch application was an extension of it.
      case "appex" where !Self.isWatchExtension(bundle: bundle, info: info):
        .appExtension(hasView: Self.hasView(info, isViewController))
      case "app", "appex": .application
      default: .program
      }
  }

  /// Returns whether an extension's `Info.plist` names a storyboard, or a principal class that is a
  /// view controller; it can't have both.
  ///
  /// Widgets have neither. The extensions of ExtensionKit, those of App Intents among them, have no
  /// `NSExtension`, but `EXAppExtensionAttributes`; no host posts notifications for them.
  private static func hasView(_ info: [String: Any], _ isViewController: (String) -> Bool) -> Bool {
    guard let attributes = info["NSExtension"] as? [String: Any] else { return false }
    if attributes["NSExtensionMainStoryboard"] != nil { return true }
    return (attributes["NSExtensionPrincipalClass"] as? String).map(isViewController) ?? false
  }

  private static func isViewController(_ name: String) -> Bool {
    #if canImport(UIKit) && !os(watchOS)
      NSClassFromString(name).map { $0 is UIViewController.Type } ?? true
    #else
      false
    #endif
  }
}

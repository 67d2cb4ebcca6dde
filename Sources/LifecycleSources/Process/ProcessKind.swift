import Foundation

/// What a process is, as far as its lifecycle goes.
enum ProcessKind: Hashable {
  /// One with windows, or with a face on a watch, which the user opens.
  case application
  /// A part of an application that runs inside another one.
  case appExtension
  /// Any other one: it lives by signals.
  case program

  static let current = Self(
    bundle: Bundle.main.bundlePath,
    extensionPoint: mainExtensionPoint
  )

  /// Whether the process is a WatchKit extension: the program of a watch application of two targets.
  static let isWatchExtension = isWatchExtension(
    bundle: Bundle.main.bundlePath,
    extensionPoint: mainExtensionPoint
  )

  static func isWatchExtension(bundle: String, extensionPoint: String?) -> Bool {
    URL(filePath: bundle).pathExtension == "appex" && extensionPoint == "com.apple.watchkit"
  }

  private static var mainExtensionPoint: String? {
    let attributes = Bundle.main.infoDictionary?["NSExtension"] as? [String: Any]
    return attributes?["NSExtensionPointIdentifier"] as? String
  }

  /// - Parameters:
  ///   - bundle: The path of the main bundle.
  ///   - extensionPoint: What the bundle extends, as its `Info.plist` says.
  init(bundle: String, extensionPoint: String?) {
    self =
      switch (URL(filePath: bundle).pathExtension, extensionPoint) {
      // Until watchOS 7 the program of a watch application was an extension of it.
      case ("app", _), ("appex", "com.apple.watchkit"): .application
      case ("appex", _): .appExtension
      default: .program
      }
  }
}

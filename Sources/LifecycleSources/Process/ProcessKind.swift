import Foundation

/// The kind of a process, with regard to its lifecycle.
enum ProcessKind: Hashable {
  /// A process with windows, or with an interface on a watch, which the user opens.
  case application
  /// A part of an application that runs inside another one.
  case appExtension
  /// Any other process: signals determine its lifecycle.
  case program

  static let current = Self(
    bundle: Bundle.main.bundlePath,
    extensionPoint: mainExtensionPoint
  )

  /// A Boolean value that indicates whether the process is a WatchKit extension.
  ///
  /// That is the program of a watch application that has two targets.
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
  ///   - extensionPoint: The extension point of the bundle, as listed in its `Info.plist`.
  init(bundle: String, extensionPoint: String?) {
    self =
      switch (URL(filePath: bundle).pathExtension, extensionPoint) {
      // Until watchOS 7, the program of a watch application was an extension of it.
      case ("app", _), ("appex", "com.apple.watchkit"): .application
      case ("appex", _): .appExtension
      default: .program
      }
  }
}

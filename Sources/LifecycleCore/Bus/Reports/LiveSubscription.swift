/// An observer that is registered now, for finding leaks.
public struct LiveSubscription: Sendable, Hashable {
  /// The location where it was registered.
  public var location: LifecycleObserverLocation
  /// The time since it was registered, including the device's sleep.
  public var age: Duration
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension LiveSubscription: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["location": location, "age": Seconds(age)],
      displayStyle: .struct
    )
  }
}

/// The location where an observer was registered.
///
/// Every call that adds something to a bus or a scope has the parameters `fileID`, `filePath`,
/// `line` and `column`, whose defaults are the caller's place in the source code. Reports of
/// misuse and ``LifecycleBusProtocol/diagnostics`` name that place. A function that wraps such a
/// call declares the same parameters and passes them on.
public struct LifecycleObserverLocation: Sendable, Hashable {
  /// The name of the scope that the observer was added to; nil if it was added to none, also if a
  /// scope stores its handle.
  public var scope: String?
  /// The file that registered it, as `Module/File.swift`; nil for the bus's publishers that are
  /// properties.
  public var fileID: String?
  /// The line that registered it.
  public var line: UInt?
  /// The observer's activity; nil unless it is a part of this package that knows.
  package var activity: String?

  package init(scope: String? = nil, fileID: String? = nil, line: UInt? = nil) {
    self.scope = scope
    self.fileID = fileID
    self.line = line
  }
}

extension LifecycleObserverLocation: CustomStringConvertible {
  /// `Module/File.swift:12 (scope "name")`, or `a subscriber of a publisher` if the file is not
  /// known.
  public var description: String {
    let place =
      if let fileID, let line { "\(fileID):\(line)" } else { "a subscriber of a publisher" }
    let details = [scope.map { "scope \"\($0)\"" }, activity].compactMap(\.self)
    return details.isEmpty ? place : "\(place) (\(details.joined(separator: ", ")))"
  }
}

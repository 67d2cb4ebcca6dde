/// The location where an observer was registered.
public struct LifecycleObserverLocation: Sendable, Hashable {
  /// The name of the scope that the observer was added to; nil if it was added to none, also if a
  /// scope stores its token.
  public var scope: String?
  /// The file that registered it, as `Module/File.swift`; nil for the bus's publishers that are
  /// properties.
  public var fileID: String?
  /// The line that registered it.
  public var line: UInt?
  /// What the observer is doing, if it is a part of this package that knows.
  package var activity: String?

  /// Creates a location, for use in a test; the bus creates its locations itself.
  public init(scope: String? = nil, fileID: String? = nil, line: UInt? = nil) {
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

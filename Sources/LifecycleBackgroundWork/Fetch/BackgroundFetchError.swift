/// The reason for the failure of a handler that has not answered.
///
/// Not an enumeration, because later versions may have more reasons.
///
/// ```swift
/// switch error {
/// case BackgroundFetchError.deadlineMissed: trace("too slow")
/// default: trace("\(error)")
/// }
/// ```
public struct BackgroundFetchError: Error, Hashable {
  private enum Code { case deadlineMissed, neverAnswered, ended }

  private let code: Code

  /// The deadline passed before the handler answered.
  public static let deadlineMissed = Self(code: .deadlineMissed)
  /// The handler's completion was released, so that no answer could come.
  public static let neverAnswered = Self(code: .neverAnswered)
  /// The bus or the coordinator ended before the handler answered.
  public static let ended = Self(code: .ended)

  /// Matches an error in a `switch` or a `catch`.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    error as? Self == pattern
  }
}

extension BackgroundFetchError: CustomStringConvertible, CustomReflectable {
  /// A description of the failure, such as `no answer by the deadline`.
  public var description: String {
    switch code {
    case .deadlineMissed: "no answer by the deadline"
    case .neverAnswered: "never answered"
    case .ended: "ended before the handler answered"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

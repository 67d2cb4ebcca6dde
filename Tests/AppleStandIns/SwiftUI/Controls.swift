import Foundation

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(_ value: String) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}

public struct Text: View, Equatable, Sendable {
  nonisolated public init(_ key: LocalizedStringKey) { fatalError() }
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) { fatalError() }
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
  nonisolated public init(
    timerInterval: ClosedRange<Date>,
    pauseTime: Date? = nil,
    countsDown: Bool = true,
    showsHours: Bool = true
  ) {
    fatalError()
  }
  public typealias Body = Never
  public var body: Never { fatalError() }
}

public struct Button<Label: View>: View {
  public var body: some View { return opaque() }
}

@available(*, unavailable)
extension Button: Sendable {}

extension Button where Label == Text {
  @preconcurrency nonisolated public init(
    _ titleKey: LocalizedStringKey,
    action: @escaping @MainActor () -> Void
  ) {
    fatalError()
  }
  @preconcurrency @_disfavoredOverload nonisolated public init<S: StringProtocol>(
    _ title: S,
    action: @escaping @MainActor () -> Void
  ) {
    fatalError()
  }
}

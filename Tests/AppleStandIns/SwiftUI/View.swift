@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
  typealias Content = _ViewModifier_Content<Self>
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
  public typealias Body = Never
  public var body: Never { fatalError() }
}

public struct ModifiedContent<Content, Modifier> {
  public var content: Content
  public var modifier: Modifier
  nonisolated public init(content: Content, modifier: Modifier) { fatalError() }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  public var body: Never { fatalError() }
}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
}

public struct EmptyView: View {
  public init() { fatalError() }
  public typealias Body = Never
  public var body: Never { fatalError() }
}

extension View {
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { fatalError() }

  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>,
    _ value: V
  ) -> some View {
    return opaque()
  }

  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    return opaque()
  }

  #if compiler(>=6.4)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    nonisolated public func task(
      name: String? = nil,
      priority: TaskPriority = .userInitiated,
      file: String = #fileID,
      line: Int = #line,
      @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
      return opaque()
    }

    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    nonisolated public func task<T: Equatable>(
      id: T,
      name: String? = nil,
      priority: TaskPriority = .userInitiated,
      file: String = #fileID,
      line: Int = #line,
      @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
      return opaque()
    }
  #else
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    nonisolated public func task(
      priority: TaskPriority = .userInitiated,
      @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
      return opaque()
    }

    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    nonisolated public func task<T: Equatable>(
      id value: T,
      priority: TaskPriority = .userInitiated,
      @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
      return opaque()
    }
  #endif

  @available(iOS, introduced: 14, deprecated: 17)
  @available(macOS, introduced: 11, deprecated: 14)
  @available(tvOS, introduced: 14, deprecated: 17)
  @available(watchOS, introduced: 7, deprecated: 10)
  @available(visionOS, introduced: 1, deprecated: 1)
  nonisolated public func onChange<V: Equatable>(
    of value: V,
    perform action: @escaping (_ newValue: V) -> Void
  ) -> some View {
    return opaque()
  }

  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  nonisolated public func onChange<V: Equatable>(
    of value: V,
    initial: Bool = false,
    _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    return opaque()
  }

  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  nonisolated public func onChange<V: Equatable>(
    of value: V,
    initial: Bool = false,
    _ action: @escaping () -> Void
  ) -> some View {
    return opaque()
  }
}

func opaque() -> EmptyView { fatalError() }

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension App {
  @MainActor @preconcurrency public static func main() { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension Never: Scene {}

struct OpaqueScene: Scene {
  var body: Never { fatalError() }
}

nonisolated func opaqueScene() -> OpaqueScene { fatalError() }

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@resultBuilder public struct SceneBuilder {
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct WindowGroup<Content: View>: Scene {
  nonisolated public init(@ViewBuilder makeContent: @escaping () -> Content) { fatalError() }
  public var body: some Scene { return opaqueScene() }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
public struct BackgroundTask<Request, Response>: Sendable {
  @available(macOS, unavailable)
  public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void>
  where Request == Void, Response == Void { fatalError() }
  public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void>
  where Request == Void, Response == Void { fatalError() }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension Scene {
  nonisolated public func backgroundTask<D: Sendable, R: Sendable>(
    _ task: BackgroundTask<D, R>,
    action: @escaping @Sendable (D) async -> R
  ) -> some Scene {
    return opaqueScene()
  }
}

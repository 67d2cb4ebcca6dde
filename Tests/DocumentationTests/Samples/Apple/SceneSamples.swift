#if canImport(UIKit) && !os(watchOS)
  import LifecycleSources
  import ReactiveLifecycle
  import UIKit

  final class WindowSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let lifecycle = LifecycleBus(parent: LifecycleBus.application)
    private var connection: LifecycleCancellable?

    func scene(
      _ scene: UIScene,
      willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      connection = try? lifecycle.connect(.uiScene(scene))
      lifecycle.addObserver(self, for: .didEnterBackground) { delegate, _ in delegate.save() }
    }

    private func save() {}
  }

  @MainActor
  func uiScenesSample(_ bus: LifecycleBus) throws -> LifecycleCancellable {
    let connection = try bus.connect(.uiScenes)
    return connection
  }

  @MainActor
  func bothKindsSample(_ bus: LifecycleBus) throws -> [LifecycleCancellable] {
    let application = try bus.connect(.uiApplication)
    let scenes = try bus.connect(.uiScenes)
    return [application, scenes]
  }

  @MainActor
  func uiSceneSample(_ scene: UIScene) throws -> (LifecycleBus, LifecycleCancellable) {
    let window = LifecycleBus(parent: LifecycleBus.application)
    let connection = try window.connect(.uiScene(scene))
    return (window, connection)
  }
#endif

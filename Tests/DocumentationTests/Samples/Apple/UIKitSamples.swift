#if canImport(UIKit) && !os(watchOS)
  import LifecycleSources
  import ReactiveLifecycle
  import UIKit

  final class ArticleViewController: UIViewController {
    private var scope: LifecycleScope?

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      let scope = LifecycleScope("article")
      LifecycleBus.application.onReturn(in: scope) { [weak self] stay in
        self?.reload(after: stay.duration)
      }
      self.scope = scope
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      scope?.end()
    }

    private func reload(after duration: Duration) {}
  }

  final class MapViewController: UIViewController {
    private let screen = LifecycleBus(parent: LifecycleBus.application)
    private var map: MapModel?

    override func viewDidLoad() {
      super.viewDidLoad()
      map = MapModel(screen: screen)
    }

    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      screen.send(.didBecomeActive)
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      screen.send(.didEnterBackground)
    }
  }

  final class LaunchDelegate: UIResponder, UIApplicationDelegate {
    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      LifecycleBus.application.addObserver(self, for: .didEnterBackground) { delegate, _ in
        delegate.save()
      }
      return true
    }

    private func save() {}
  }

  @MainActor
  func uiApplicationSample(_ bus: LifecycleBus) throws -> LifecycleCancellable {
    let connection = try bus.connect(.uiApplication)
    return connection
  }
#endif

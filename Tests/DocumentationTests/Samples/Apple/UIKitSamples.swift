#if canImport(UIKit) && !os(watchOS)
  import LifecycleBackgroundWork
  import ReactiveLifecycle
  import UIKit

  final class ArticleViewController: UIViewController {
    private var scope: LifecycleScope?

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      let scope = LifecycleScope("article")
      LifecycleBus.application.onOpen(in: scope) { [weak self] _ in
        self?.load()
      }
      self.scope = scope
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      scope?.end()
    }

    private func load() {}
  }

  final class MapViewController: UIViewController {
    private let screen = LifecycleBus(parent: .application)
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

  // MARK: Scenes

  final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
      _ scene: UIScene,
      willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard let scene = scene as? UIWindowScene else { return }
      let window = UIWindow(windowScene: scene)
      window.rootViewController = ArticleViewController()
      window.makeKeyAndVisible()
      self.window = window
    }
  }

  final class WindowSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    let lifecycle = LifecycleBus(parent: .application)
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

  extension UIViewController {
    var windowLifecycle: LifecycleBus? {
      (view.window?.windowScene?.delegate as? WindowSceneDelegate)?.lifecycle
    }
  }

  final class DrawingViewController: UIViewController {
    private var scope: LifecycleScope?

    override func viewIsAppearing(_ animated: Bool) {
      super.viewIsAppearing(animated)
      let scope = LifecycleScope("drawing")
      windowLifecycle?.addObserver(for: .willResignActive, in: scope) { [weak self] _ in
        self?.closePalette()
      }
      self.scope = scope
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      scope?.end()
    }

    private func closePalette() {}
  }

  @MainActor
  private func sourceSamples(
    _ bus: LifecycleBus,
    _ scene: UIScene,
    in scope: LifecycleScope
  ) throws {
    do {
      try bus.connect(.uiApplication, in: scope)
    }
    do {
      try bus.connect(.uiScenes, in: scope)
    }
    do {
      try bus.connect(.uiApplication, in: scope)
      try bus.connect(.uiScenes, in: scope)
    }
    let window = LifecycleBus(parent: .application)
    try window.connect(.uiScene(scene), in: scope)
  }

  // MARK: Moving

  final class NoteViewControllerBefore: UIViewController {
    private var token: (any NSObjectProtocol)?

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      token = NotificationCenter.default.addObserver(
        forName: UIApplication.didEnterBackgroundNotification,
        object: nil,
        queue: nil
      ) { [weak self] _ in
        MainActor.assumeIsolated { self?.save() }
      }
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      if let token { NotificationCenter.default.removeObserver(token) }
    }

    private func save() {}
  }

  final class NoteViewControllerAfter: UIViewController {
    private var scope: LifecycleScope?

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      let scope = LifecycleScope("note")
      LifecycleBus.application.addObserver(for: .didEnterBackground, in: scope) { [weak self] _ in
        self?.save()
      }
      self.scope = scope
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      scope?.end()
    }

    private func save() {}
  }

  private struct Drafts { func save() {} }

  private struct Inbox { func load() {} }

  final class MailDelegate: UIResponder, UIApplicationDelegate {
    private let drafts = Drafts()
    private let inbox = Inbox()

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      let bus = LifecycleBus.application
      bus.addObserver(self, for: .didEnterBackground) { delegate, _ in delegate.drafts.save() }
      bus.onOpen(self) { delegate, _ in delegate.inbox.load() }
      return true
    }
  }

  // MARK: Background work

  func uiApplicationTaskSample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .uiApplication)
    return tasks
  }
#endif

#if canImport(UIKit) || os(watchOS)
  import LifecycleBackgroundWork
  import ReactiveLifecycle

  /// Of a watch application or an app extension.
  func expiringActivitySample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
    return tasks
  }
#endif

#if os(watchOS)
  import WatchKit

  @MainActor
  func wkApplicationSample(_ bus: LifecycleBus, in scope: LifecycleScope) throws {
    try bus.connect(.wkApplication, in: scope)
  }
#endif

#if canImport(SwiftUI)
  public import LifecycleCore
  public import SwiftUI
#else
  import LifecycleCore
#endif

#if canImport(SwiftUI)
  extension View {
    /// Sets the lifecycle that this view and the views inside it read from the environment.
    ///
    /// ```swift
    /// PlayerView().lifecycle(bus)
    /// ```
    ///
    /// - Parameter bus: The bus of the lifecycle. The view does not keep it alive.
    public func lifecycle(_ bus: LifecycleBus) -> some View {
      environment(\.followedLifecycle, bus.observableState)
    }
  }

  extension EnvironmentValues {
    /// The lifecycle of the bus that ``SwiftUICore/View/lifecycle(_:)`` sets, or of
    /// `LifecycleBus.application` if none is set.
    ///
    /// ```swift
    /// @Environment(\.lifecycle) private var lifecycle
    /// ```
    @MainActor public var lifecycle: ObservableLifecycle {
      followedLifecycle ?? LifecycleBus.application.observableState
    }

    fileprivate var followedLifecycle: ObservableLifecycle? {
      get { self[FollowedLifecycle.self] }
      set { self[FollowedLifecycle.self] = newValue }
    }
  }

  private struct FollowedLifecycle: EnvironmentKey {
    static let defaultValue: ObservableLifecycle? = nil
  }

  extension View {
    /// Feeds a bus from the `scenePhase` in the view's environment, which is that of its scene.
    ///
    /// The modifier starts when the view appears. It sends events when SwiftUI updates the view,
    /// some time after the system's notification.
    ///
    /// ```swift
    /// EditorView().lifecycle(window.bus).sendsScenePhase(to: window.bus)
    /// ```
    ///
    /// - Parameter bus: A dedicated bus for the window, such as one under
    ///   `LifecycleBus.application`.
    public func sendsScenePhase(to bus: LifecycleBus) -> some View {
      modifier(ScenePhaseSender(bus: bus))
    }
  }

  private struct ScenePhaseSender: ViewModifier {
    let bus: LifecycleBus
    @Environment(\.scenePhase) private var scenePhase

    func body(content: Content) -> some View {
      #if os(visionOS)
        content.onChange(of: scenePhase, initial: true) { send($1, after: $0) }
      #else
        // The above needs iOS 17.
        content
          .onAppear { send(scenePhase, after: scenePhase) }
          .onChange(of: scenePhase) { [scenePhase] in send($0, after: scenePhase) }
      #endif
    }

    private func send(_ new: ScenePhase, after old: ScenePhase) {
      guard let old = LifecyclePhase(old), let new = LifecyclePhase(new) else { return }
      for kind in new.kinds(after: old) { bus.send(kind) }
    }
  }

  extension LifecyclePhase {
    /// Creates the phase of the same name, or returns nil for one that SwiftUI has added since.
    public init?(_ scenePhase: ScenePhase) {
      switch scenePhase {
      case .active: self = .active
      case .inactive: self = .inactive
      case .background: self = .background
      @unknown default: return nil
      }
    }
  }
#endif

extension LifecyclePhase {
  /// Returns the kinds of events to send when this phase follows another one.
  ///
  /// For the first phase, `old` is the phase itself. A phase that may have been reached from either
  /// side then has a kind for each way, only one of which takes effect.
  func kinds(after old: LifecyclePhase) -> [LifecycleEvent.Kind] {
    switch self {
    case .unknown: []
    case .background:
      old == self ? [.didFinishLaunching, .didEnterBackground] : [.didEnterBackground]
    case .inactive:
      switch old {
      case self: [.willEnterForeground, .willResignActive]
      case .active: [.willResignActive]
      default: [.willEnterForeground]
      }
    case .active: [.didBecomeActive]
    case .terminated: [.willTerminate]
    }
  }
}

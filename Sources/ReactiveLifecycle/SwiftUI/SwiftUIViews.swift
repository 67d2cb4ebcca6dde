#if canImport(SwiftUI)
  public import LifecycleCore
  public import SwiftUI
#else
  import LifecycleCore
#endif

#if canImport(SwiftUI)
  extension View {
    /// Sets the bus whose lifecycle this view and the views inside it follow.
    ///
    /// ```swift
    /// PlayerView().lifecycle(bus)
    /// ```
    ///
    /// - Parameter bus: The bus that ``SwiftUICore/EnvironmentValues/lifecycleBus`` returns in the
    ///   views, which keep it alive.
    public func lifecycle(_ bus: LifecycleBus) -> some View {
      environment(\.lifecycleBus, bus)
    }

    /// Gives this view and the views inside it a lifecycle that stays in one phase, for a preview.
    ///
    /// ```swift
    /// PlayerView().lifecycle(previewing: .background)
    /// ```
    ///
    /// Code that uses `LifecycleBus.application` is not affected.
    ///
    /// - Parameter phase: The phase of the views' bus, which is connected to no source.
    public func lifecycle(previewing phase: LifecyclePhase) -> some View {
      lifecycle(.preview(in: phase))
    }
  }

  extension EnvironmentValues {
    /// The bus that ``SwiftUICore/View/lifecycle(_:)`` sets, such as a window's, or
    /// `LifecycleBus.application` if none is set.
    ///
    /// ```swift
    /// @Environment(\.lifecycleBus) private var bus
    /// ```
    public var lifecycleBus: LifecycleBus {
      get { self[LifecycleBusKey.self] ?? .application }
      set { self[LifecycleBusKey.self] = newValue }
    }

    /// The lifecycle of the ``lifecycleBus``, as an object: a view that reads its properties is
    /// updated when they change.
    ///
    /// ```swift
    /// @Environment(\.lifecycle) private var lifecycle
    /// ```
    @MainActor public var lifecycle: ObservableLifecycle { lifecycleBus.observableState }
  }

  private struct LifecycleBusKey: EnvironmentKey {
    static let defaultValue: LifecycleBus? = nil
  }

  extension View {
    /// Feeds a bus from the `scenePhase` in the view's environment, which is that of its scene.
    ///
    /// The modifier starts when the view appears. It sends events when SwiftUI updates the view,
    /// some time after the system's notification.
    ///
    /// ```swift
    /// EditorView().lifecycle(bus).sendsScenePhase(to: bus)
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

#if canImport(SwiftUI) || DEBUG
  // On Linux for the tests alone.
  extension LifecycleBus {
    @MainActor private static var previews: [LifecyclePhase: LifecycleBus] = [:]

    /// Returns a bus that has the phase, the same one as long as it has.
    @MainActor
    static func preview(in phase: LifecyclePhase) -> LifecycleBus {
      if let bus = previews[phase], bus.phase == phase { return bus }
      let bus = LifecycleBus()
      for kind in phase.kinds(after: phase) { bus.send(kind) }
      previews[phase] = bus
      return bus
    }
  }
#endif

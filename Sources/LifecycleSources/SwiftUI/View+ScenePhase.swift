#if canImport(SwiftUI)
  public import ReactiveLifecycle
  public import SwiftUI

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
      content.onChange(of: scenePhase, initial: true) { old, new in
        guard let old = LifecyclePhase(old), let new = LifecyclePhase(new) else { return }
        for kind in new.kinds(after: old) { bus.send(kind) }
      }
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

#if canImport(SwiftUI)
  public import ReactiveLifecycle
  public import SwiftUI

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
#endif

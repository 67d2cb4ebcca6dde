#if canImport(SwiftUI)
  public import ReactiveLifecycle
  public import SwiftUI

  extension View {
    /// Gives the view and what it contains a bus's lifecycle to read.
    ///
    /// ```swift
    /// PlayerView().lifecycle(bus)
    /// ```
    ///
    /// - Parameter bus: Not kept alive.
    public func lifecycle(_ bus: LifecycleBus) -> some View {
      environment(\.followedLifecycle, bus.observableState)
    }
  }

  extension EnvironmentValues {
    /// The lifecycle of the bus that ``SwiftUICore/View/lifecycle(_:)`` gave; of
    /// `LifecycleBus.application` without it.
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

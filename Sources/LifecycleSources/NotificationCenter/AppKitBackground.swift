import ReactiveLifecycle

/// When a Mac application counts as in the background: the system has no such state.
public enum AppKitBackground: Sendable, Hashable {
  /// When its user has hidden it. Behind other applications it is `inactive`.
  case hidden
  /// When no window of it can be seen: hidden, minimized, covered, on another space, or none there. AppKit
  /// calls it the occlusion state.
  case occluded
}

/// What a Mac application says of itself.
struct AppKitState: Sendable {
  var isActive: Bool
  var isHidden: Bool
  /// Whether a part of a window can be seen.
  var isVisible: Bool

  func isInBackground(_ background: AppKitBackground) -> Bool {
    switch background {
    case .hidden: isHidden
    case .occluded: !isVisible
    }
  }

  /// What takes an application here that is in sight.
  var foreground: LifecycleEvent.Kind { isActive ? .didBecomeActive : .willEnterForeground }
}

import ReactiveLifecycle

/// The condition under which a Mac application counts as in the background.
///
/// AppKit itself has no background state.
public enum AppKitBackground: Sendable, Hashable {
  /// In the background while the user has hidden the application.
  ///
  /// An application behind others is `inactive`.
  case hidden
  /// In the background while none of the application's windows is visible: they are hidden,
  /// minimized, covered, or on another space, or there are none.
  ///
  /// AppKit calls this the occlusion state.
  case occluded
}

/// The state that a Mac application reports about itself.
struct AppKitState: Sendable {
  var isActive: Bool
  var isHidden: Bool
  /// A Boolean value that indicates whether any part of a window is visible.
  var isVisible: Bool

  func isInBackground(_ background: AppKitBackground) -> Bool {
    switch background {
    case .hidden: isHidden
    case .occluded: !isVisible
    }
  }

  /// The kind of event that moves an application in the foreground to its current phase.
  var foreground: LifecycleEvent.Kind { isActive ? .didBecomeActive : .willEnterForeground }
}

import LifecycleSupport

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import LifecycleCore
#else
  import LifecycleCore
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  extension LifecycleSource where Self == NotificationCenterSource {
    /// Returns a source for the application, based on the notifications of `NSApplication`.
    ///
    /// If connected late, the source reports the application's current phase. If connected during
    /// the launch, it may not report a phase before the next notification.
    ///
    /// ```swift
    /// try bus.connect(.nsApplication(background: .occluded), in: scope)
    /// ```
    ///
    /// To answer AppKit's `applicationShouldTerminate(_:)`, return `bus.terminateReply(for:)`. An
    /// application that supports sudden termination ends without `willTerminate`.
    ///
    /// - Parameter background: The condition under which the application counts as in the
    ///   background.
    public static func nsApplication(background: AppKitBackground = .hidden) -> Self {
      NotificationCenterSource(
        table: .nsApplication(background: background, state: AppKitState.current),
        name: "nsApplication"
      ) {
        // The system sets `isFinishedLaunching`, perhaps later than it notifies the application.
        NSRunningApplication.current.isFinishedLaunching || NSApp?.isActive == true
          ? [Notification(name: NSApplication.didFinishLaunchingNotification)] : []
      }
    }

    /// The machine, its screens and the login session, based on the notification center of
    /// `NSWorkspace`.
    ///
    /// While the screens are asleep, and while another user has them (fast user switching), the bus
    /// is in the background. A source that is connected during that time does not know about it.
    /// Sleep, wake, and requests to power off or to log out are notices.
    ///
    /// ```swift
    /// try bus.connect(.workspace, in: scope)
    /// ```
    public static var workspace: Self {
      NotificationCenterSource(
        center: NSWorkspace.shared.notificationCenter,
        table: .workspace,
        name: "workspace"
      )
    }
  }

  extension AppKitState {
    /// Returns the application's state, or nil off the main actor, where it can't be read.
    @Sendable
    fileprivate static func current() -> AppKitState? {
      let state: AppKitState?? = MainQueue.ifCurrent {
        NSApp.map {
          AppKitState(
            isActive: $0.isActive,
            isHidden: $0.isHidden,
            isVisible: $0.occlusionState.contains(.visible)
          )
        }
      }
      return state ?? nil
    }
  }

  extension LifecycleBusProtocol {
    /// Asks the observers of exit requests whether the application may quit, and returns the answer
    /// for AppKit.
    ///
    /// If there is no observer, the answer is `terminateNow`. Otherwise it is `terminateLater`, and
    /// the application receives `reply(toApplicationShouldTerminate:)` when all have answered. An
    /// observer that did not answer in time does not stop the application.
    ///
    /// ```swift
    /// func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
    ///   bus.terminateReply(for: sender)
    /// }
    /// ```
    ///
    /// While AppKit waits for the reply, it runs the application's loop inside the call of
    /// `terminate(_:)`. If that call is made by a task of the main actor or a block of the main
    /// queue, no other one can run meanwhile, and no observer can answer: call it in an action, or
    /// with `perform(_:with:afterDelay:)`.
    ///
    /// An application that supports sudden termination is not asked; one that uses `NSDocument` is
    /// asked after its documents have been reviewed. UIKit, SwiftUI and WatchKit never ask.
    ///
    /// - Parameters:
    ///   - application: The application that asks.
    ///   - timeout: The time after which the answers so far count; nil to wait without limit, as
    ///     is usual while a dialog is open.
    /// - Returns: The answer for AppKit.
    @MainActor
    public func terminateReply(
      for application: NSApplication,
      timeout: Duration? = nil
    ) -> NSApplication.TerminateReply {
      let deadline = timeout.map { core.clock.continuous + $0 }
      let request = LifecycleExitRequest(origin: .source("nsApplication"), deadline: deadline)
      let reply = TerminationReply()
      core.requestExit(request, until: deadline) { result in
        let mayEnd = !result.isCancelled
        guard reply.machine.withLock({ $0.answer(mayEnd) }) else { return }
        MainQueue.run { application.reply(toApplicationShouldTerminate: mayEnd) }
      }
      return switch reply.machine.withLock({ $0.returnNow() }) {
      case true?: .terminateNow
      case false?: .terminateCancel
      case nil: .terminateLater
      }
    }
  }

  private final class TerminationReply: Sendable {
    let machine = Locked(TerminationReplyMachine())
  }
#endif

/// The condition under which a Mac application counts as in the background.
///
/// AppKit itself has no background state.
@nonexhaustive
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

/// The state machine of one answer to a system that asks whether a process may end: returned at
/// once if it is known by then, else given later.
struct TerminationReplyMachine: Sendable {
  private enum State {
    case asking
    case answered(Bool)
    case late
  }

  private var state = State.asking

  /// Records the answer.
  ///
  /// - Returns: Whether the caller gives it to the system now.
  mutating func answer(_ mayEnd: Bool) -> Bool {
    if case .late = state { return true }
    state = .answered(mayEnd)
    return false
  }

  /// Returns the answer; nil if it is given later.
  mutating func returnNow() -> Bool? {
    if case .answered(let mayEnd) = state { return mayEnd }
    state = .late
    return nil
  }
}

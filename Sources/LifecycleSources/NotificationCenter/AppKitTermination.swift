#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  import LifecycleSupport
  public import ReactiveLifecycle

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
      core.requestExit(request, until: deadline) { outcome in
        let mayEnd = !outcome.isCancelled
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

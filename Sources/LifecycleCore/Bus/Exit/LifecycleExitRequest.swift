import LifecycleSupport

/// A question to the observers of a bus: may the process end?
///
/// ```swift
/// bus.onExitRequest(in: scope) { request in
///   guard editor.hasChanges, !request.isCancelled else { return .exit }
///   return await editor.askWhetherToSave() ? .exit : .cancel
/// }
/// ```
public struct LifecycleExitRequest: Sendable, Hashable {
  /// The answer of one observer.
  public enum Response: Sendable, Hashable, CaseIterable {
    /// The observer agrees to the end.
    case exit
    /// The process should continue.
    case cancel
  }

  /// The origin of the request: ``LifecycleEvent/Origin/manual`` if the program itself asks, else
  /// the source that does.
  public var origin: LifecycleEvent.Origin
  /// Text that the sender adds, such as the name of a signal.
  public var metadata: [String: String]
  /// The instant, on the clock of the bus, at which the sender stops waiting for answers; nil if it
  /// waits without limit. If several senders wait when the observer is called, the earliest of
  /// their deadlines.
  public var deadline: ContinuousInstant?
  /// A Boolean value that indicates whether an observer that was asked before has cancelled the
  /// exit, so that there is no need to ask the user.
  public var isCancelled: Bool

  package init(
    origin: LifecycleEvent.Origin = .manual,
    metadata: [String: String] = [:],
    deadline: ContinuousInstant? = nil,
    isCancelled: Bool = false
  ) {
    self.origin = origin
    self.metadata = metadata
    self.deadline = deadline
    self.isCancelled = isCancelled
  }
}

/// The answers to an exit request.
///
/// An observer that did not answer in time does not cancel the exit, because the system would not
/// wait for it either. A sender that can afford to stay checks ``unanswered``, too.
public struct LifecycleExitResult: Sendable, Hashable {
  /// The observers that cancelled the exit, in the order in which they were asked.
  public var cancelledBy: [LifecycleObserverLocation] = []
  /// The observers that did not answer in time, in the order in which they are asked: the one that
  /// was being asked, and those after it, which were not asked. Those that have left are not among
  /// them.
  public var unanswered: [LifecycleObserverLocation] = []

  /// A Boolean value that indicates whether an observer cancelled the exit.
  public var isCancelled: Bool { !cancelledBy.isEmpty }
}

extension LifecycleExitResult: CustomStringConvertible {
  /// `exit`, or `cancelled by Editor.swift:12`, followed by `no answer from Upload.swift:34` if
  /// observers did not answer.
  public var description: String {
    var parts = [isCancelled ? "cancelled by \(Self.list(cancelledBy))" : "exit"]
    if !unanswered.isEmpty { parts.append("no answer from \(Self.list(unanswered))") }
    return parts.joined(separator: "; ")
  }

  private static func list(_ locations: [LifecycleObserverLocation]) -> String {
    locations.map(\.description).joined(separator: ", ")
  }
}

extension LifecycleBusProtocol {
  /// Asks the observers whether the process may end, and returns their answers. Sends no event: the
  /// caller ends the process, or does not.
  ///
  /// ```swift
  /// let result = await bus.requestExit(timeout: .seconds(5))
  /// if result.isCancelled { print("cancelled by \(result.cancelledBy)") } else { quit() }
  /// ```
  ///
  /// - One observer is asked after the other, so that there are never two dialogs at a time. As on
  ///   every way down, the one that was registered last comes first; before the bus's observers,
  ///   those of the buses that end with it, such as its screens'.
  /// - All are asked, also after one has cancelled the exit; the request says so
  ///   (``LifecycleExitRequest/isCancelled``).
  /// - Observers that register meanwhile are not asked. One that leaves agrees. If there is none,
  ///   or the bus has ended, the call returns at once.
  /// - Requests that are made while others are being asked share their answers, each until its own
  ///   timeout. An observer that awaits such a request before it answers waits for itself.
  /// - If the caller's task is cancelled, the call returns with the answers so far.
  ///
  /// UIKit, SwiftUI (also its `scenePhase`) and WatchKit end a process without asking, so nothing
  /// calls this for them.
  ///
  /// Thread-safe. The bus is not kept alive.
  ///
  /// - Parameters:
  ///   - timeout: The time, on the clock of the bus, after which the call returns with the answers
  ///     so far; nil to wait without limit.
  ///   - metadata: Text for the observers.
  /// - Returns: The observers that cancelled the exit, and those that did not answer in time.
  /// - Complexity: O(*n*) in the observers of all kinds.
  public nonisolated(nonsending) consuming func requestExit(
    timeout: Duration? = nil,
    metadata: [String: String] = [:]
  ) async -> LifecycleExitResult {
    let core = (consume self).core
    return await core.requestExit(timeout: timeout, metadata: metadata)
  }
}

extension LifecycleBusCore {
  /// - Parameter isolation: The caller's actor, as in `waitUntil`.
  fileprivate func requestExit(
    isolation: isolated (any Actor)? = #isolation,
    timeout: Duration?,
    metadata: [String: String]
  ) async -> LifecycleExitResult {
    let deadline = timeout.map { clock.continuous + $0 }
    let request = LifecycleExitRequest(metadata: metadata, deadline: deadline)
    let withdrawal = Locked<(@Sendable () -> Void)?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let withdraw = requestExit(request, until: deadline) {
          continuation.resume(returning: $0)
        }
        withdrawal.exchange(withdraw)
        // The task may have been cancelled before there was something to withdraw.
        if Task.isCancelled { withdraw() }
      }
    } onCancel: {
      withdrawal.take()?()
    }
  }
}

extension LifecycleFeed {
  /// Asks the observers of the bus whether the process may end, on behalf of the source.
  ///
  /// - Parameters:
  ///   - deadline: The instant until which the source waits, for the observers to know; nil without
  ///     a limit. It is measured on the system's clock, also if the bus has another one. The source
  ///     itself stops waiting, by calling the closure.
  ///   - metadata: Text for the observers.
  ///   - completion: Called once, on any thread; before this method returns if there is no
  ///     observer.
  /// - Returns: A closure that completes the request with the answers so far. Has no effect if the
  ///   request is complete.
  @discardableResult
  package func requestExit(
    until deadline: ContinuousClock.Instant?,
    metadata: [String: String] = [:],
    completion: @escaping @Sendable (LifecycleExitResult) -> Void
  ) -> @Sendable () -> Void {
    let timeLeft = deadline.map { ContinuousClock.now.duration(to: $0) }
    let request = LifecycleExitRequest(
      origin: origin,
      metadata: metadata,
      deadline: timeLeft.map { core.clock.continuous + $0 }
    )
    return core.requestExit(request, until: nil, completion: completion)
  }
}

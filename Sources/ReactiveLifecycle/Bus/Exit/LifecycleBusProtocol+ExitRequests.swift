import LifecycleSupport

// Asynchronous closures, because a program asks its user. On a `NonisolatedLifecycleBus` they run
// on the concurrent executor, on a `LifecycleBus` on the main actor, by the forms that it prefers.
extension LifecycleBusProtocol {
  /// Answers exit requests until the token is cancelled or released.
  ///
  /// ```swift
  /// token = bus.onExitRequest { _ in upload.isRunning ? .cancel : .exit }
  /// ```
  ///
  /// An exit request asks all observers whether the process may end, before `willTerminate`; see
  /// ``requestExit(timeout:metadata:)``. The closure decides, and may ask the user. It is no place
  /// to save: a process may also end without a request.
  ///
  /// The closure runs on the concurrent executor; that of ``LifecycleBus``'s method on the main
  /// actor. It is never called twice at a time. If no sender waits for its answer any longer, or
  /// the observer leaves, its task is cancelled. Thread-safe.
  ///
  /// - Parameter body: Called with each request; requests at the same time share a call. Returns
  ///   the observer's answer.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  /// - Returns: A token that cancels when it is released.
  @_disfavoredOverload
  public func onExitRequest(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.onExitRequest(site, body)
  }

  /// Answers exit requests until the scope ends.
  ///
  /// ```swift
  /// bus.onExitRequest(in: scope) { _ in upload.isRunning ? .cancel : .exit }
  /// ```
  ///
  /// As ``onExitRequest(fileID:filePath:line:column:using:)``. If the scope has ended, the observer
  /// is not added, and that is reported at the caller's line.
  ///
  /// - Parameters:
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - body: Called with each request; requests at the same time share a call. Returns the
  ///     observer's answer.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
  @discardableResult
  public func onExitRequest(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return core.onExitRequest(in: scope, id: id, site, body)
  }

  /// Answers exit requests until the owner is released, without keeping the owner alive, save while
  /// the closure runs.
  ///
  /// ```swift
  /// bus.onExitRequest(self) { upload, _ in upload.isRunning ? .cancel : .exit }
  /// ```
  ///
  /// As ``onExitRequest(fileID:filePath:line:column:using:)``.
  ///
  /// - Parameters:
  ///   - owner: An object that is held weakly, and passed to the closure. After the owner's
  ///     release, the closure is released as other observers register.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - body: Called with the owner and each request; requests at the same time share a call.
  ///     Returns the observer's answer.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
  @discardableResult
  public func onExitRequest<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body:
      @escaping @Sendable (Owner, LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.onExitRequest(owner, id: id, site) { [weak owner] request in
      guard let owner else { return nil }
      return await body(owner, request)
    }
  }

  /// Asks the observers whether the process may end, and returns their answers. Sends no event: the
  /// caller ends the process, or does not.
  ///
  /// ```swift
  /// let outcome = await bus.requestExit(timeout: .seconds(5))
  /// if outcome.isCancelled { print("cancelled by \(outcome.cancelledBy)") } else { quit() }
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
  ) async -> LifecycleExitOutcome {
    let core = (consume self).core
    return await core.requestExit(timeout: timeout, metadata: metadata)
  }
}

extension LifecycleBusCore {
  fileprivate func requestExit(
    isolation: isolated (any Actor)? = #isolation,
    timeout: Duration?,
    metadata: [String: String]
  ) async -> LifecycleExitOutcome {
    let deadline = timeout.map { clock.continuous + $0 }
    let request = LifecycleExitRequest(metadata: metadata, deadline: deadline)
    let withdrawal = Locked(CancellationMachine<@Sendable () -> Void>())
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let withdraw = requestExit(request, until: deadline) {
          continuation.resume(returning: $0)
        }
        withdrawal.withLock { $0.start(withdraw) }?()
      }
    } onCancel: {
      withdrawal.withLock { $0.end() }?()
    }
  }
}

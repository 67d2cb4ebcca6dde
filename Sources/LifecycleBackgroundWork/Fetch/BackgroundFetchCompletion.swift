import ReactiveLifecycle

/// The completion of a handler that is not an asynchronous function, which completes it once, with
/// the outcome.
///
/// ```swift
/// fetches.addHandler(named: "news", in: scope) { completion in
///   let download = news.download { isNew in completion.complete(isNew ? .newData : .noData) }
///   completion.onCancel { download.cancel() }
/// }
/// ```
///
/// A completion that is released without an outcome counts as `failed`, which is reported at the
/// handler's line.
public final class BackgroundFetchCompletion: Sendable {
  private let run: BackgroundFetchRun
  private let position: Int

  init(_ run: BackgroundFetchRun, _ position: Int) {
    self.run = run
    self.position = position
  }

  deinit {
    run.abandon(position)
  }

  /// Reports the handler's outcome. Thread-safe.
  ///
  /// A second answer, and an answer after the fetch has ended, are reported at the caller's line
  /// and ignored. A `failed` after the body of ``onCancel(_:)`` was called is expected, and is not
  /// reported; nor is any answer of a handler that was removed.
  public func complete(
    _ outcome: BackgroundFetchReport.Handler.Outcome,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    run.answer(position, outcome, at: site)
  }

  /// Sets a closure that is called when the answer is no longer needed, because time is up or the
  /// handler was removed.
  ///
  /// The closure is called at most once, and never after the answer. Thread-safe.
  ///
  /// - Parameter body: Called on any thread, and at once if it is already too late. It replaces the
  ///   previous closure.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    run.setCancellation(of: position, body)
  }
}

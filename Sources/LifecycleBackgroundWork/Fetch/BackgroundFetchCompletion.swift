import ReactiveLifecycle

/// How a handler that is no asynchronous function answers: it is called once, with the outcome.
///
/// ```swift
/// fetches.addHandler(named: "news", in: scope) { completion in
///   let download = news.download { isNew in completion(isNew ? .newData : .noData) }
///   completion.onCancel { download.cancel() }
/// }
/// ```
///
/// One that is released without a call counts as `failed`, which is reported at the handler's line.
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

  /// Answers. Any thread.
  ///
  /// A second answer, and one that comes after the fetch has ended, are reported at the caller's line
  /// and ignored. A `failed` after the body of ``onCancel(_:)`` was called is what one expects, and
  /// is not reported; nor is what a handler says after it was removed.
  public func callAsFunction(
    _ outcome: BackgroundFetchReport.Handler.Outcome,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    run.answer(position, outcome, at: site)
  }

  /// Has `body` called when no answer is wanted any more: time is up, or the handler was removed. At
  /// most once, never after the answer. Any thread.
  ///
  /// - Parameter body: Called on any thread; at once if it is too late already. It takes the place of
  ///   the one before.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    run.setCancellation(of: position, body)
  }
}

import ReactiveLifecycle

/// The issues that are reported about a handler.
extension BackgroundFetchHandler {
  func reportRepeatedAnswer(_ result: BackgroundFetchResult, _ fetch: Int, at site: CallSite) {
    site.report(
      """
      The fetch handler "\(name)" answered fetch \(fetch) more than once, so the answer \(result) \
      was ignored. Call `complete` exactly once.
      """
    )
  }

  func reportLateAnswer(_ result: BackgroundFetchResult, _ fetch: Int, at site: CallSite) {
    site.report(
      """
      The fetch handler "\(name)" answered fetch \(fetch) after the fetch had ended, so the answer \
      \(result) was ignored. Stop when the handler is cancelled, which happens at the deadline.
      """
    )
  }

  func reportNoAnswer(_ fetch: Int) {
    site.report(
      """
      The fetch handler "\(name)" released the completion of fetch \(fetch) without an answer, \
      which counts as a failure. Call `complete` exactly once, on every path.
      """
    )
  }
}

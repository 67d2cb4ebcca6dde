import ReactiveLifecycle

/// The issues that are reported about a handler: at the line of the answer, or, without one, at the
/// handler's line.
extension BackgroundFetchHandler {
  func reportRepeatedAnswer(_ result: BackgroundFetchResult, _ fetch: Int, at site: CallSite?) {
    (site ?? self.site).report(
      """
      The fetch handler "\(name)" answered fetch \(fetch) again, with \(result), which was ignored. \
      Call each completion once.
      """
    )
  }

  func reportLateAnswer(_ result: BackgroundFetchResult, _ fetch: Int, at site: CallSite?) {
    (site ?? self.site).report(
      """
      The fetch handler "\(name)" answered fetch \(fetch) with \(result) after the fetch had ended, \
      which was ignored. Give up when it is cancelled, which happens at the deadline.
      """
    )
  }

  func reportNoAnswer(_ fetch: Int) {
    site.report(
      """
      The fetch handler "\(name)" released the completion of fetch \(fetch) without calling it, which \
      counts as failed. Call each completion once, on every path.
      """
    )
  }
}

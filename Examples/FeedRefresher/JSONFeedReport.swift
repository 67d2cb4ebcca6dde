import ProgramReporting
import ReactiveLifecycle

/// One JSON object a line.
package final class JSONFeedReport: FeedReport {
  private let write: (String) -> Void

  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  package func event(_ event: LifecycleEvent) {
    write(JSONLine.text(of: event))
  }

  package func suppressed(_ input: SuppressedInput) {
    write(JSONLine.text(of: input))
  }

  package func progress(bytes: Int) {}

  package func fetch(_ fetch: FeedFetch) {
    var line = JSONLine(type: "fetch")
    line.add("number", fetch.number)
    line.add("result", fetch.result.rawValue)
    if let reason = fetch.reason { line.add("reason", reason) }
    line.add("seconds", fetch.duration.secondsInMilliseconds)
    write(line.text)
  }
}

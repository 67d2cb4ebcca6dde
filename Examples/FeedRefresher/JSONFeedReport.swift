import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// A report of one JSON object per line.
final class JSONFeedReport: FeedReport {
  private let write: (String) -> Void

  init(write: @escaping (String) -> Void) {
    self.write = write
  }

  func event(_ event: LifecycleEvent) {
    write(JSONLine.text(of: event))
  }

  func suppressed(_ input: SuppressedInput) {
    write(JSONLine.text(of: input))
  }

  func progress(bytes: Int) {}

  func fetch(_ fetch: FeedFetch) {
    var line = JSONLine(type: "fetch")
    line.add("number", fetch.number)
    line.add("result", fetch.result.rawValue)
    if let reason = fetch.reason { line.add("reason", reason) }
    line.add("seconds", fetch.duration.secondsInMilliseconds)
    write(line.text)
  }
}

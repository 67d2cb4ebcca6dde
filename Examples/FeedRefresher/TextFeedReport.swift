import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// A report for people: a line for each fetch, followed by a line for each new entry.
final class TextFeedReport: FeedReport {
  /// The most titles that a fetch lists: a feed that is loaded for the first time need not show
  /// all.
  private static let titleLimit = 10

  private let page: TextPage

  /// - Parameter page: The page to which the report is written.
  init(_ page: TextPage) {
    self.page = page
  }

  func event(_ event: LifecycleEvent) {
    // The shell, or the next program that has the terminal, begins on a new line.
    if event.phase < event.previousPhase, !event.phase.isForeground { page.endLine() }
    if let stay = event.backgroundStay { page.say(Sentence.description(of: stay)) }
  }

  func suppressed(_ input: SuppressedInput) {}

  func progress(bytes: Int) {
    // Nothing is drawn while another program has the terminal.
    guard page.terminal?.isOurs == true else { return }
    page.draw(bytes == 0 ? "Fetching…" : "Fetching… \((bytes + 999) / 1000) kB")
  }

  func fetch(_ fetch: FeedFetch) {
    page.replace("\(fetch.number). \(Self.text(fetch)) (\(Sentence.span(fetch.duration)))")
    let entries = fetch.newEntries
    for entry in entries.prefix(Self.titleLimit) { page.say("   - \(page.fitted(entry.title, 5))") }
    if entries.count > Self.titleLimit {
      page.say("   and \(entries.count - Self.titleLimit) more")
    }
  }

  private static func text(_ fetch: FeedFetch) -> String {
    switch fetch.result {
    case .newData:
      fetch.newEntries.count == 1 ? "1 new entry" : "\(fetch.newEntries.count) new entries"
    case .noData: "nothing new"
    case .failed: "failed: \(fetch.reason ?? "the reason is unknown")"
    }
  }
}

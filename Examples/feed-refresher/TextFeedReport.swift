import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// What a person reads: a line a fetch, and below it a line for each entry that is new.
final class TextFeedReport: FeedReport {
  /// A feed that is loaded for the first time need not show all that it has.
  private static let titleLimit = 10

  private let page: TextPage

  /// - Parameter page: Where it is written.
  init(_ page: TextPage) {
    self.page = page
  }

  func event(_ event: LifecycleEvent) {
    // The shell, or whoever has the terminal next, begins with a line of its own.
    if event.phase < event.previousPhase, !event.phase.isForeground { page.endLine() }
    if let stay = event.backgroundStay { page.say(Sentence.description(of: stay)) }
  }

  func suppressed(_ input: SuppressedInput) {}

  func progress(bytes: Int) {
    // Whoever has the terminal now is not to find this in their text.
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
    case .failed: "failed: \(fetch.reason ?? "for no known reason")"
    }
  }
}

import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

/// The form in which the program reports its activity.
@MainActor
protocol FeedReport: LifecycleReport {
  /// Reports that a fetch is under way and has loaded the given number of bytes.
  func progress(bytes: Int)
  func fetch(_ fetch: FeedFetch)
}

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
    if let reason = fetch.reason { line.add("reason", OutsideText.line(reason)) }
    line.add("seconds", fetch.duration.secondsInMilliseconds)
    write(line.text)
  }
}

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
    let titles = fetch.newTitles
    for title in titles.prefix(Self.titleLimit) { page.say("   - \(page.fitted(title, 5))") }
    if titles.count > Self.titleLimit {
      page.say("   and \(titles.count - Self.titleLimit) more")
    }
  }

  private static func text(_ fetch: FeedFetch) -> String {
    switch fetch.result {
    case .newData:
      fetch.newTitles.count == 1 ? "1 new entry" : "\(fetch.newTitles.count) new entries"
    case .noData: "nothing new"
    case .failed: "failed: \(fetch.reason ?? "the reason is unknown")"
    }
  }
}

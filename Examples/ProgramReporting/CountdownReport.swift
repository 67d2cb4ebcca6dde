package import LifecycleCountdowns
package import LifecycleJournaling
package import ReactiveLifecycle

/// The report of a program with a countdown.
@MainActor
package protocol CountdownReport: LifecycleReport {
  /// Reports how the last run ended. A program that stores its state calls this method first.
  ///
  /// - Parameter isNew: Whether this run has begun a new countdown.
  func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool)
  /// Reports a second of the countdown, or its end.
  func update(_ state: Countdown.State)
}

/// A report with one JSON object per line.
package final class JSONReport: CountdownReport {
  private let write: (String) -> Void

  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  package func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool) {
    var line = JSONLine(type: "launch")
    line.add("previousExit", previousRun.exit.rawValue)
    if let away = previousRun.timeAway { line.add("awaySeconds", away.secondsInMilliseconds) }
    write(line.text)
  }

  package func event(_ event: LifecycleEvent) {
    write(JSONLine.text(of: event))
  }

  package func suppressed(_ input: SuppressedInput) {
    write(JSONLine.text(of: input))
  }

  package func update(_ state: Countdown.State) {
    var line = JSONLine(type: "tick")
    line.add("remainingSeconds", state.remaining.wholeSeconds)
    if !state.isClockTrusted { line.add("verified", false) }
    write(line.text)
    if state.status == .finished { write(JSONLine(type: "finished").text) }
  }
}

/// A report for people: a bar that is redrawn in place on a terminal, one line per tick elsewhere.
package final class TextReport: CountdownReport {
  /// The sentences about the countdown.
  package struct Words: Sendable {
    /// The sentence for the beginning of a new countdown; nil for none.
    package var begun: String?
    package var finished: String

    package init(begun: String? = nil, finished: String) {
      self.begun = begun
      self.finished = finished
    }
  }

  private let words: Words
  private let total: Int
  private let page: TextPage
  private var hasDoubted = false

  /// - Parameters:
  ///   - words: The sentences about the countdown.
  ///   - total: The remaining seconds at which the bar is empty.
  ///   - terminal: The terminal that `write` writes to; nil if it writes elsewhere.
  package init(
    _ words: Words,
    total: Int,
    terminal: Terminal?,
    write: @escaping (String) -> Void
  ) {
    self.words = words
    self.total = total
    page = TextPage(terminal: terminal, write: write)
  }

  package func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool) {
    if let sentence = Self.description(of: previousRun) { page.say(sentence) }
    if isNew, let begun = words.begun { page.say(begun) }
  }

  package func event(_ event: LifecycleEvent) {
    // The shell, or another program that uses the terminal next, begins on a new line.
    if event.phase < event.previousPhase, !event.phase.isForeground { page.endLine() }
    if let stay = event.backgroundStay { page.say(Sentence.description(of: stay)) }
  }

  package func suppressed(_ input: SuppressedInput) {}

  package func update(_ state: Countdown.State) {
    if !state.isClockTrusted { doubt() }
    draw(state.remaining.wholeSeconds)
    if state.status == .finished { page.say(words.finished) }
  }

  private func draw(_ remainingSeconds: Int) {
    let label = "\(Sentence.time(remainingSeconds)) left"
    guard page.terminal != nil else { return page.say(label) }
    page.draw(label, fraction: Double(total - remainingSeconds) / Double(total))
  }

  private func doubt() {
    guard !hasDoubted else { return }
    hasDoubted = true
    page.say(
      """
      The time left could not be verified: the machine was restarted, and its clock may have been \
      changed.
      """
    )
  }

  /// Returns a sentence about the end of the previous run, or nil if there is nothing to report.
  private static func description(of previousRun: LifecycleJournal.PreviousRun) -> String? {
    let ago = previousRun.timeAway.map { ", \(Sentence.span($0)) ago" } ?? ""
    return switch previousRun.exit {
    case .firstLaunch: nil
    case .endedProperly: "The last run ended properly\(ago)."
    case .killedDuringLaunch: "The last run was killed during its launch\(ago)."
    case .killedInBackground: "The last run was killed in the background\(ago)."
    case .killedInForeground: "The last run was killed in the foreground\(ago)."
    case .machineRestarted: "The last run ended with a restart of the machine\(ago)."
    case .updated: "The last run ended with an update\(ago)."
    case .unknown: "It is unknown how the last run ended."
    }
  }
}

/// A line of a `JSONReport`, read back.
package struct ReportLine: Decodable, Hashable, Sendable {
  package enum Form: String, Decodable, Sendable {
    case launch, event, stay, suppressed, tick, finished
  }

  package var type: Form
  package var previousExit: LifecycleJournal.PreviousExit?
  package var awaySeconds: Double?
  package var kind: String?
  package var phase: String?
  package var sequence: Int?
  package var origin: String?
  package var reason: String?
  package var seconds: Double?
  package var asleepSeconds: Double?
  package var remainingSeconds: Int?
  /// False on ticks whose time could not be verified; nil otherwise.
  package var verified: Bool?
}

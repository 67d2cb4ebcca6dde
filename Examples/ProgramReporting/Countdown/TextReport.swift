package import LifecycleJournaling
package import ReactiveLifecycle

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
  }

  package func suppressed(_ input: SuppressedInput) {}

  package func update(_ update: CountdownDisplay.Update) {
    switch update {
    case .tick(let remainingSeconds, let isClockTrusted):
      if !isClockTrusted { doubt() }
      draw(remainingSeconds)
    case .returned(let stay): page.say(Sentence.description(of: stay))
    case .finished: page.say(words.finished)
    }
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
}

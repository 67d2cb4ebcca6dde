import ReactiveLifecycle

/// What a person reads: a bar that is redrawn in place on a terminal, a line a tick elsewhere.
package final class TextReport: CountdownReport {
  /// What it says of the countdown.
  package struct Words: Sendable {
    /// That a new one has begun; nothing, if nil.
    package var begun: String?
    package var finished: String

    package init(begun: String? = nil, finished: String) {
      self.begun = begun
      self.finished = finished
    }
  }

  private let words: Words
  private let total: Int
  private let terminal: Terminal?
  private let write: (String) -> Void
  /// How many columns of the terminal's last line have been written to; nil when it is empty.
  private var drawn: Int?
  private var hasDoubted = false

  /// - Parameters:
  ///   - words: What it says.
  ///   - total: The seconds at which the bar is empty.
  ///   - terminal: The terminal that `write` leads to, if it does.
  package init(
    _ words: Words,
    total: Int,
    terminal: Terminal?,
    write: @escaping (String) -> Void
  ) {
    self.words = words
    self.total = total
    self.terminal = terminal
    self.write = write
  }

  package func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool) {
    if let sentence = Self.description(of: previousRun) { say(sentence) }
    if isNew, let begun = words.begun { say(begun) }
  }

  package func event(_ event: LifecycleEvent) {
    // The shell, or whoever has the terminal next, begins with a line of its own.
    if event.phase < event.previousPhase, !event.phase.isForeground { endLine() }
  }

  package func suppressed(_ input: SuppressedInput) {}

  package func update(_ update: CountdownDisplay.Update) {
    switch update {
    case .tick(let remainingSeconds, let isVerified):
      if !isVerified { doubt() }
      draw(remainingSeconds)
    case .returned(let stay): say(Self.description(of: stay))
    case .finished: say(words.finished)
    }
  }

  private func draw(_ remainingSeconds: Int) {
    let label = "\(Self.time(remainingSeconds)) left"
    guard let terminal else { return write(label + "\n") }
    let bar = ProgressBar(
      label: label,
      fraction: Double(total - remainingSeconds) / Double(total),
      columns: terminal.columns
    )
    // Spaces over what the last bar had more, and no escape sequence: a dumb terminal will do.
    let rest = String(repeating: " ", count: max(0, min(drawn ?? 0, bar.limit) - bar.text.count))
    write("\r" + bar.text + rest)
    drawn = max(drawn ?? 0, bar.text.count)
  }

  private func doubt() {
    guard !hasDoubted else { return }
    hasDoubted = true
    say(
      """
      The time left could not be verified: the machine was restarted, and its clock may have been \
      set.
      """
    )
  }

  private func say(_ sentence: String) {
    endLine()
    write(sentence + "\n")
  }

  private func endLine() {
    guard drawn != nil else { return }
    drawn = nil
    if terminal?.isOurs == true { write("\n") }
  }
}

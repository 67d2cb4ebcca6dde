import ReactiveLifecycle

/// What a person reads: a bar that is redrawn in place on a terminal, a line a tick elsewhere.
package final class TextReport: RentalReport {
  private let total: Int
  private let terminal: Terminal?
  private let write: (String) -> Void
  /// How many columns of the terminal's last line have been written to; nil when it is empty.
  private var drawn: Int?

  /// - Parameters:
  ///   - total: The seconds at which the bar is empty.
  ///   - terminal: The terminal that `write` leads to, if it does.
  package init(total: Int, terminal: Terminal?, write: @escaping (String) -> Void) {
    self.total = total
    self.terminal = terminal
    self.write = write
  }

  package func event(_ event: LifecycleEvent) {
    // The shell, or whoever has the terminal next, begins with a line of its own.
    if event.phase < event.previousPhase, !event.phase.isForeground { endLine() }
  }

  package func suppressed(_ input: SuppressedInput) {}

  package func update(_ update: RentalViewModel.Update) {
    switch update {
    case .tick(let remainingSeconds): draw(remainingSeconds)
    case .returned(let stay): say(Self.description(of: stay))
    case .finished: say("The rental is over.")
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

extension TextReport {
  /// `4:59`, or `1:04:59` from an hour on.
  static func time(_ seconds: Int) -> String {
    let (minutes, seconds) = seconds.quotientAndRemainder(dividingBy: 60)
    guard minutes >= 60 else { return "\(minutes):\(twoDigits(seconds))" }
    return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(seconds))"
  }

  static func description(of stay: BackgroundStay) -> String {
    let asleep = stay.asleep < .seconds(1) ? "" : ", \(span(stay.asleep)) of it asleep"
    return "Away for \(span(stay.duration))\(asleep)."
  }

  /// `3.0 s`, or `1:30` from a minute on.
  private static func span(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(Double(tenths) / 10) s" : time((tenths + 5) / 10)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// The marks in the time of one column, which are drawn as one character.
struct ColumnMarks {
  private var count = 0
  private var last: LifecycleTimeline.Mark?
  /// The reasons of the suppressed inputs, each once.
  private var reasons: [String] = []

  /// A Boolean value that indicates whether there is a suppressed input among several marks.
  var isPartlySuppressed: Bool { count > 1 && !reasons.isEmpty }

  mutating func add(_ mark: LifecycleTimeline.Mark) {
    count += 1
    last = mark
    if mark.style == .suppressed, !reasons.contains(mark.label) { reasons.append(mark.label) }
  }

  /// The character and its form; nil if there is no mark.
  var symbol: (character: Character, style: TerminalStyle)? {
    guard let last else { return nil }
    let style = TerminalStyle(reasons.isEmpty ? last.style : .suppressed)
    if count == 1 { return (style.symbol, style) }
    if isPartlySuppressed { return (TerminalStyle.severalSuppressed, style) }
    return (count < 10 ? Character("\(count)") : "#", style)
  }

  /// Returns the text beside the character; empty if there is none.
  func label(in subject: LifecycleTimeline.Lane.Subject) -> String {
    switch subject {
    case .notes, .notices: count == 1 ? last?.label ?? "" : ""
    case .source: reasons.joined(separator: ", ")
    default: ""
    }
  }
}

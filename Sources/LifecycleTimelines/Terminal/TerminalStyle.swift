/// The characters and colors of a form in a terminal. No two that can stand in the same lane share
/// a character, so that the drawing can be read without colors.
struct TerminalStyle {
  var symbol: Character
  /// The parameter of the escape sequence that selects the color.
  var color: String

  init(_ style: LifecycleTimeline.Style) {
    (symbol, color) =
      switch style {
      case .active: ("█", "34")
      case .inactive: ("▓", "36")
      case .background: ("░", "37")
      case .unknown: ("·", "90")
      case .run: ("─", "37")
      case .stay: ("═", "33")
      case .asleep: ("z", "35")
      case .connected: ("─", "36")
      case .task, .countdown, .fetch: ("━", "32")
      case .paused: ("╌", "90")
      case .observers: ("▁", "36")
      case .upward: ("▲", "34")
      case .downward: ("▼", "33")
      case .notice: ("◆", "35")
      case .input: ("●", "36")
      case .suppressed: ("x", "33")
      case .note: ("■", "32")
      case .ended: ("■", "37")
      case .killed: ("✗", "31")
      case .change: ("│", "37")
      }
  }

  /// Stands for several inputs, of which some are suppressed.
  static let severalSuppressed: Character = "X"

  /// Returns the symbol, or another one, in its color if colors are used.
  func text(_ other: Character? = nil, usesColor: Bool) -> String {
    let symbol = other ?? symbol
    return usesColor ? "\u{1B}[\(color)m\(symbol)\u{1B}[0m" : String(symbol)
  }

  /// What the legend says about a form; nil if its lane says it.
  static func meaning(of style: LifecycleTimeline.Style) -> String? {
    switch style {
    case .active, .inactive, .background, .unknown: style.rawValue
    case .upward: "upward"
    case .downward: "downward"
    case .input: "input"
    case .suppressed: "suppressed input"
    case .paused: "paused"
    case .killed: "killed"
    default: nil
    }
  }
}

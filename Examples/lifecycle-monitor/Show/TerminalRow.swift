import LifecycleTimelines

/// A row of character cells.
struct TerminalRow {
  private struct Cell {
    var character: Character = " "
    var color: String?
  }

  private var cells: [Cell]

  init(columns: Int) {
    cells = Array(repeating: Cell(), count: max(columns, 0))
  }

  mutating func set(_ character: Character, color: String? = nil, at column: Int) {
    guard cells.indices.contains(column) else { return }
    cells[column] = Cell(character: character, color: color)
  }

  mutating func fill(_ columns: ClosedRange<Int>, with style: TerminalStyle) {
    for column in columns { set(style.symbol, color: style.color, at: column) }
  }

  /// Writes a text of characters that take one column each, if no character but spaces and those
  /// that may be replaced stand there.
  ///
  /// - Returns: Whether there was room.
  @discardableResult
  mutating func write(
    _ text: String,
    at column: Int,
    replacing: Set<Character> = []
  ) -> Bool {
    let text = SafeText.visible(text)
    let end = column + text.count
    guard column >= 0, end <= cells.count, SafeText.columns(text) == text.count else {
      return false
    }
    guard
      cells[column..<end].allSatisfy({ $0.character == " " || replacing.contains($0.character) })
    else { return false }
    for (offset, character) in text.enumerated() {
      cells[column + offset] = Cell(character: character)
    }
    return true
  }

  /// Returns the row, without spaces at its end.
  func text(usesColor: Bool) -> String {
    let length = (cells.lastIndex { $0.character != " " } ?? -1) + 1
    var result = ""
    var current: String?
    for cell in cells.prefix(length) {
      if usesColor, cell.color != current, cell.character != " " {
        result += "\u{1B}[\(cell.color ?? "0")m"
        current = cell.color
      }
      result.append(cell.character)
    }
    return current == nil ? result : result + "\u{1B}[0m"
  }
}

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

extension SafeText {
  /// The greatest number of columns that a terminal may use for the text.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x500 || isDrawing($1) ? 1 : 2) }
  }

  /// Punctuation, arrows, lines, blocks and shapes, which take one column.
  private static func isDrawing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2010...0x2027, 0x2190...0x2193, 0x2500...0x25E6, 0x2713, 0x2717: true
    default: false
    }
  }

  /// Returns the text, cut off with `…` if it could be wider than a number of columns.
  static func fitted(_ text: String, columns: Int) -> String {
    let text = visible(text)
    if text.utf8.count <= columns || Self.columns(text) <= columns { return text }
    var result = ""
    var width = 1
    for character in text {
      width += Self.columns(String(character))
      if width > columns { break }
      result.append(character)
    }
    return columns > 0 ? result + "…" : ""
  }
}

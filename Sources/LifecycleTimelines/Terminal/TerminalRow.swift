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

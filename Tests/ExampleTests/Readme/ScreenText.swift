import LifecycleSupport

/// The lines of a screen, in a form in which two runs of a program are the same.
///
/// Values that differ from run to run are replaced by names; the words around them are compared. A
/// line that only repeats the one before, with other values, counts once, and so does a fetch that
/// finds nothing new: how many there are depends on the time. Left out are empty lines, progress
/// that was about to be replaced or was drawn before the return was noticed, the echo of Ctrl-Z and
/// Ctrl-C, which may come before or after the output that it causes, and what the shell prints about
/// a job that is killed: with which prompt that comes depends on the time.
struct ScreenText: Equatable {
  private(set) var lines: [String] = []

  init(lines: some Sequence<String>) {
    for line in lines.lazy.map(Self.normalized) {
      let isLeftOut = line.isEmpty || line.contains(#/^Fetching…|^\[1\]\+ Killed /#)
      let isRepeatable = line.contains(#/^NUMBER\. nothing new|^\[1\]\+ Stopped /#)
      let isRepeated = line == self.lines.last || isRepeatable && self.lines.contains(line)
      if line.hasPrefix("Away for ") { removeLastBar() }
      if !isLeftOut, !isRepeated { self.lines.append(line) }
    }
  }

  /// Removes the last line if it is a bar, which the next line may make obsolete.
  mutating func removeLastBar() {
    if lines.last?.hasPrefix("[BAR]") == true { lines.removeLast() }
  }

  /// The normalized form of each line seen so far: a screen is read again and again.
  private static let normalizedLines = Locked<[String: String]>([:])

  static func normalized(_ line: String) -> String {
    if let known = normalizedLines.withLock({ $0[line] }) { return known }
    let normalized = normalize(line)
    normalizedLines.withLock { $0[line] = normalized }
    return normalized
  }

  private static func normalize(_ line: String) -> String {
    line
      .replacing(/\^[ZC]/, with: "")
      // The moment of a line of the tour.
      .replacing(/^ *\d+\.\d\d(?=  )/, with: "TIME")
      .replacing(/\s+/, with: " ")
      .replacing(/^ | $/, with: "")
      .replacing(/(?!0:00 left)\b\d+:\d\d(:\d\d)?\b|\b\d+(\.\d+)? s\b/, with: "TIME")
      // The bar at the end of a countdown is compared as it is.
      .replacing(/\[#*\.*\](?! 0:00 left)/, with: "[BAR]")
      // Ctrl-Z may discard the return to the beginning of the line before the bar is drawn again.
      .replacing(/^\[BAR\].*(?=\[BAR\])/, with: "")
      .replacing(/\bload \d+\.\d\d$/, with: "load LOAD")
      .replacing(/-?\d+\.\d{5}, -?\d+\.\d{5}/, with: "POSITION")
      .replacing(/\b\d+ m from\b/, with: "DISTANCE from")
      .replacing(/\b\d+ positions?\b/, with: "COUNT positions")
      .replacing(/^\d+(?=\. .* \(TIME\)$)/, with: "NUMBER")
  }
}

/// What a terminal shows after it was sent a text of lines, some of which are redrawn in place.
///
/// - Returns: The complete lines, and the one that the cursor is in.
func rendered(_ text: String) -> (complete: [String], last: String) {
  var complete: [String] = []
  var line: [Character] = []
  var column = 0
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\r": column = 0
    case "\n":
      complete.append(String(line))
      line = []
      column = 0
    default:
      if column < line.count {
        line[column] = Character(scalar)
      } else {
        line.append(Character(scalar))
      }
      column += 1
    }
  }
  return (complete, String(line))
}

import JobControl

/// A recorded terminal: what is typed, and what is shown.
///
/// In the file, `$ ` is the prompt of the shell, `^Z` and `^C` are keys as a terminal shows them, and
/// `⏎` is the Enter key, of which it shows nothing. Output in the background comes after a prompt;
/// what is typed after it stands on a line of its own.
struct Recording: Equatable {
  enum Step: Equatable {
    /// A line of output. Empty lines are left out.
    case output(String)
    case key(UInt8)
    /// A command to the shell.
    case command(String)
    case prompt
  }

  private(set) var steps: [Step] = []

  private static let commands: Set<Substring> = ["swift", "bg", "fg", "kill"]

  init(_ lines: [String]) {
    for line in lines { append(line[...]) }
  }

  private mutating func append(_ line: Substring) {
    var line = line
    if line == "$" || line.hasPrefix("$ ") {
      steps.append(.prompt)
      line = line.dropFirst(2)
    }
    if line == "⏎" {
      steps.append(.key(UInt8(ascii: "\n")))
    } else if let word = line.split(separator: " ").first, Self.commands.contains(word) {
      // The shell repeats the command of a job that it continues.
      let isEcho = word == "swift" && steps.last != .prompt
      steps.append(isEcho ? .output(String(line)) : .command(String(line)))
    } else if let mark = line.firstMatch(of: /\^([ZC])/) {
      appendOutput(line[..<mark.range.lowerBound])
      steps.append(
        .key(mark.1 == "Z" ? PseudoTerminal.controlZ : PseudoTerminal.controlC)
      )
      appendOutput(line[mark.range.upperBound...])
    } else {
      appendOutput(line)
    }
  }

  private mutating func appendOutput(_ text: Substring) {
    if !text.isEmpty { steps.append(.output(String(text))) }
  }

  /// What the screen shows after the given number of steps, with commands as they are echoed.
  func screen(after count: Int) -> ScreenText {
    ScreenText(
      lines: steps.prefix(count).compactMap { step in
        switch step {
        case .output(let line), .command(let line): line
        case .key, .prompt: nil
        }
      }
    )
  }

  var screen: ScreenText { screen(after: steps.count) }

  var outputs: [String] {
    steps.compactMap { if case .output(let line) = $0 { line } else { nil } }
  }
}

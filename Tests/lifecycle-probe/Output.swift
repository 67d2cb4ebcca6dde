import Foundation
import TestSupport

/// Prints a line at once and in one piece, from any thread.
func emit(_ content: ProbeLine.Content) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(ProbeLine(content)) else { return }
  FileHandle.standardOutput.write(data + Data("\n".utf8))
}

/// Prints a text in one piece, from any thread, as the last before a kill.
func printLine(_ text: String) {
  let line = Array("\(text)\n".utf8)
  _ = write(STDOUT_FILENO, line, line.count)
}

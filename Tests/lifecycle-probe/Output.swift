import Foundation
import TestSupport

/// Prints a line at once and in one piece, from any thread.
func emit(_ content: ProbeLine.Content) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(ProbeLine(content)) else { return }
  FileHandle.standardOutput.write(data + Data("\n".utf8))
}

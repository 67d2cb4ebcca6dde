#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DescriptorOutput {
  /// Writes to standard error what a user should know and no program reads: a line, in which text
  /// from outside is escaped. A failure has no effect.
  ///
  /// - Parameter program: The name that the line begins with; nil for none.
  package nonisolated static func diagnose(_ message: String, program: String?) {
    let line = OutsideText.line(program.map { "\($0): \(message)" } ?? message)
    try? write(line + "\n", to: STDERR_FILENO)
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DescriptorOutput {
  /// Writes a message for the user, which no program reads, to standard error.
  ///
  /// The message is one line, in which text from outside is escaped. A failure has no effect.
  ///
  /// - Parameter program: The name at the beginning of the line; nil for none.
  package nonisolated static func diagnose(_ message: String, program: String?) {
    let line = OutsideText.line(program.map { "\($0): \(message)" } ?? message)
    try? write(line + "\n", to: STDERR_FILENO)
  }
}

/// The input of a terminal, separated into the bytes for the program and the reports of the focus.
public struct TerminalInput: Hashable, Sendable {
  /// A report of the terminal that it has gained or lost the focus.
  public struct FocusReport: Hashable, Sendable {
    /// A Boolean value that indicates whether the terminal has the focus from this report on.
    public var isFocused: Bool
    /// The number of ``TerminalInput/bytes`` that arrived before the report.
    public var offset: Int

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - isFocused: Whether the terminal has the focus from this report on.
    ///   - offset: The number of bytes that arrived before the report.
    public init(isFocused: Bool, offset: Int) {
      self.isFocused = isFocused
      self.offset = offset
    }
  }

  /// The bytes for the program, unchanged and in order.
  public var bytes: [UInt8]
  /// The reports of the focus, in order.
  public var focusReports: [FocusReport]

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - bytes: The bytes for the program.
  ///   - focusReports: The reports of the focus.
  public init(bytes: [UInt8] = [], focusReports: [FocusReport] = []) {
    self.bytes = bytes
    self.focusReports = focusReports
  }
}

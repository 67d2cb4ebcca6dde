@testable import LifecycleTerminal

extension FuzzTarget {
  /// The input of a terminal, after a byte that says how it is split.
  static let terminal = FuzzTarget("terminal") { bytes in
    guard let size = bytes.first.map({ Int($0 % 8) + 1 }) else { return nil }
    let input = Array(bytes.dropFirst())
    var parser = TerminalInputParser()
    var whole = parser.feed(input)
    append(parser.flush(), to: &whole)
    var splitting = TerminalInputParser()
    var parts = TerminalInput()
    var rest = input[...]
    while !rest.isEmpty {
      splitting.feed(rest.prefix(size), into: &parts)
      rest = rest.dropFirst(size)
    }
    append(splitting.flush(), to: &parts)
    guard whole == parts else { return "split into \(size): \(parts) instead of \(whole)" }
    guard !parser.isHoldingBack else { return "bytes are held back after flush" }
    // Without the reports, it is the input.
    var restored: [UInt8] = []
    var next = 0
    for report in whole.focusReports {
      guard report.offset >= next, report.offset <= whole.bytes.count else {
        return "a report at \(report.offset)"
      }
      restored += whole.bytes[next..<report.offset]
      restored += "\u{1B}[\(report.isFocused ? "I" : "O")".utf8
      next = report.offset
    }
    restored += whole.bytes[next...]
    return restored == input ? nil : "other bytes than the input's"
  }

  private static func append(_ more: TerminalInput, to input: inout TerminalInput) {
    input.bytes += more.bytes
    input.focusReports += more.focusReports
  }
}

import LifecycleTerminal

/// What the parser is to return for a whole input: a search for each sequence, without a state that
/// outlives a call.
func reference(_ bytes: [UInt8]) -> TerminalInput {
  var input = TerminalInput()
  var rest = bytes[...]
  var isPasting = false
  func matches(_ sequence: String) -> Bool { rest.starts(with: sequence.utf8) }
  while !rest.isEmpty {
    var count = 1
    if !isPasting, matches(focusIn) || matches(focusOut) {
      input.focusReports.append(
        .init(isFocused: matches(focusIn), offset: input.bytes.count)
      )
      rest = rest.dropFirst(3)
      continue
    } else if matches(isPasting ? pasteEnd : pasteStart) {
      isPasting.toggle()
      count = 6
    }
    input.bytes += rest.prefix(count)
    rest = rest.dropFirst(count)
  }
  return input
}

let focusIn = "\u{1B}[I"
let focusOut = "\u{1B}[O"
let pasteStart = "\u{1B}[200~"
let pasteEnd = "\u{1B}[201~"

extension TerminalInput {
  /// Adds what a parser returned after this.
  mutating func append(_ later: TerminalInput) {
    let offset = bytes.count
    bytes += later.bytes
    focusReports += later.focusReports.map {
      FocusReport(isFocused: $0.isFocused, offset: $0.offset + offset)
    }
  }

  /// The input as text, with the reports in their places.
  var text: String {
    var text = ""
    var start = 0
    for report in focusReports {
      text += String(decoding: bytes[start..<report.offset], as: UTF8.self)
      text += report.isFocused ? "<in>" : "<out>"
      start = report.offset
    }
    return text + String(decoding: bytes[start...], as: UTF8.self)
  }
}

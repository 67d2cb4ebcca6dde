import LifecycleTerminal
import ReactiveLifecycle

func terminalInputSample(_ print: (String, [Bool]) -> Void) {
  var parser = TerminalInputParser()
  let input = parser.feed("a\u{1B}[Ob".utf8)
  print(String(decoding: input.bytes, as: UTF8.self), input.focusReports.map(\.isFocused))
}

/// - Parameters:
///   - waitForInput: Returns false if the time has passed without input.
///   - readInput: Returns nil at the end.
func terminalInputLoopSample(
  waitForInput: (Duration?) -> Bool,
  readInput: () -> [UInt8]?,
  handle: (TerminalInput) -> Void
) {
  var parser = TerminalInputParser()
  while true {
    guard waitForInput(parser.isHoldingBack ? .milliseconds(50) : nil) else {
      handle(parser.flush())
      continue
    }
    guard let bytes = readInput() else { break }
    handle(parser.feed(bytes))
  }
}

@MainActor
func terminalFocusSample(bus: LifecycleBus, reads: [[UInt8]]) throws -> [UInt8] {
  var keys: [UInt8] = []
  let focus = TerminalFocus()
  let connection = try bus.connect(focus, as: .ceiling)
  var parser = TerminalInputParser()
  for bytes in reads {
    let input = parser.feed(bytes)
    focus.report(input)
    keys += input.bytes
  }
  connection.cancel()
  return keys
}

@MainActor
func terminalSessionSample(bus: LifecycleBus, draw: ([UInt8]) -> Void) async throws {
  let terminal = try TerminalSession()
  let connection = try bus.connect(terminal.focus, as: .ceiling)
  for await bytes in terminal.input {
    if bytes.contains(UInt8(ascii: "q")) { break }
    draw(bytes)
  }
  terminal.close()
  connection.cancel()
}

import Foundation
import JobControl

/// The settings of a terminal, as `stty -a < /dev/pts/N` reads them.
struct TerminalSettings: Equatable, CustomStringConvertible {
  private struct Failure: Error {
    var call: String
    var errno: CInt
  }

  private var settings: termios

  init(_ terminal: PseudoTerminal) throws {
    let descriptor = open(terminal.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(call: "open", errno: errno) }
    defer { close(descriptor) }
    settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      throw Failure(call: "tcgetattr", errno: errno)
    }
  }

  /// A Boolean value that indicates whether keys arrive one by one and without echo.
  var isRaw: Bool { settings.c_lflag & tcflag_t(ICANON | ECHO) == 0 }

  var description: String {
    let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    return flags.map { String($0, radix: 8) }.joined(separator: " ") + " \(characters)"
  }

  static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}

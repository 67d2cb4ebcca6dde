import ArgumentParser
import Foundation
import LifecycleTerminal
import TestSupport

/// Does with the terminal what a session does, as if it had found the process in the foreground.
struct BackgroundTerminal: ParsableCommand {
  func run() throws {
    let device = try TerminalDevice()
    guard let settings = device.settings() else { throw ExitCode(2) }
    device.apply(settings)
    device.send("\u{1B}[?1004l")
    if case .bytes = device.receive() { throw ExitCode(3) }
    emit(.note("done"))
    device.close()
  }
}

import Dispatch
import Foundation
import ProgramReporting

/// Says on a terminal at standard error what takes long, and removes that afterward.
enum Progress {
  @MainActor
  static func during<Result>(_ label: String, _ work: () throws -> Result) rethrows -> Result {
    guard let terminal = Terminal(descriptor: STDERR_FILENO) else { return try work() }
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { @Sendable in
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      show("\(label) \(seconds) s", terminal)
    }
    timer.resume()
    defer {
      // The queue is serial: no line is shown after this one.
      let ended = DispatchSemaphore(value: 0)
      timer.setCancelHandler { @Sendable in ended.signal() }
      timer.cancel()
      ended.wait()
      if ContinuousClock.now - start > .seconds(1) { show("", terminal) }
    }
    return try work()
  }

  private static func show(_ text: String, _ terminal: Terminal) {
    guard terminal.isOurs else { return }
    let width = max(terminal.columns - 1, 1)
    let line = String(OutsideText.line(text).prefix(width))
    let blank = String(repeating: " ", count: width - line.count)
    try? DescriptorOutput.write("\r\(line)\(blank)\r\(line)", to: STDERR_FILENO)
  }
}

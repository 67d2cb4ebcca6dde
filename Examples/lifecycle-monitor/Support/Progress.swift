import Dispatch
import Foundation
import LifecycleSupport
import ProgramReporting

/// Says on a terminal at standard error what takes long, and removes that afterward.
final class Progress: Sendable {
  private let state: Locked<(label: String, isShown: Bool)>
  private let terminal: Terminal?

  private init(_ label: String) {
    state = Locked((label, false))
    terminal = Terminal(descriptor: STDERR_FILENO)
  }

  @MainActor
  static func during<Result>(_ label: String, _ work: () throws -> Result) rethrows -> Result {
    try during(label) { _ in try work() }
  }

  /// - Parameter work: The work, which can change the label and write lines meanwhile.
  @MainActor
  static func during<Result>(
    _ label: String,
    _ work: (Progress) throws -> Result
  ) rethrows -> Result {
    let progress = Progress(label)
    guard progress.terminal != nil else { return try work(progress) }
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { @Sendable in
      progress.show(seconds: Int((ContinuousClock.now - start) / .seconds(1)))
    }
    timer.resume()
    defer {
      // The queue is serial: no line is shown after this one.
      let ended = DispatchSemaphore(value: 0)
      timer.setCancelHandler { @Sendable in ended.signal() }
      timer.cancel()
      ended.wait()
      progress.withoutLine {}
    }
    return try work(progress)
  }

  /// Changes what is shown from the next second on.
  func setLabel(_ label: String) {
    state.withLock { $0.label = label }
  }

  /// Calls a closure that writes lines, which may appear on the same terminal.
  func withoutLine<Result>(_ write: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      if state.isShown { show("") }
      state.isShown = false
    }
    return try write()
  }

  private func show(seconds: Int) {
    state.withLock { state in
      show("\(state.label) \(seconds) s")
      state.isShown = true
    }
  }

  private func show(_ text: String) {
    guard let terminal, terminal.isOurs else { return }
    let width = max(terminal.columns - 1, 1)
    let line = String(OutsideText.line(text).prefix(width))
    let blank = String(repeating: " ", count: width - line.count)
    try? DescriptorOutput.write("\r\(line)\(blank)\r\(line)", to: STDERR_FILENO)
  }
}

import ArgumentParser
import Foundation
import LifecycleSources
import LoadMonitor

@main
struct LoadMonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-monitor",
    abstract: "Shows the load of the machine while it is in the foreground.",
    discussion: """
      Press Ctrl-Z, then type bg: the process runs, and its sensor is off. Type fg: it is on again. \
      Ctrl-C ends it.
      """
  )

  @Option(
    parsing: .unconditional,
    help: "The time between two readings: a whole number of milliseconds from 10.",
    transform: milliseconds
  )
  var interval = Duration.seconds(1)

  @MainActor
  func run() async {
    let sensor = LoadSensor(every: interval) { isOn in print(isOn ? "sensor on" : "sensor off") }
    let viewModel = LoadViewModel(sensor, bus: .application) { load in
      print("load \(String(format: "%.2f", load))")
    }
    // Until a signal ends the process: returning would be an end of its own.
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    withExtendedLifetime(viewModel) {}
  }

  /// Prints a line at once, as a pipe's reader expects.
  private nonisolated func print(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}

private func milliseconds(_ text: String) throws -> Duration {
  guard let milliseconds = Int(text), (10...86_400_000).contains(milliseconds) else {
    throw ValidationError("Give a whole number from 10 to 86400000.")
  }
  return .milliseconds(milliseconds)
}

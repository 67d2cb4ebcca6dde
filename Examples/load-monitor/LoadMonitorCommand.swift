import ArgumentParser
import Foundation
import LoadMonitor
import ProgramReporting
import ReactiveLifecycle

@main
struct LoadMonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-monitor",
    abstract: "Shows the system load while the process is in the foreground.",
    discussion: """
      Press Ctrl-Z, then type bg: the process continues with its sensor off. Type fg: the sensor is \
      switched on again. Press Ctrl-C to quit.
      """
  )

  @Option(
    parsing: .unconditional,
    help: "The time between two readings in milliseconds: a whole number, at least 10.",
    transform: milliseconds
  )
  var interval = Duration.seconds(1)

  static func main() async {
    await runOnArguments()
  }

  func run() async {
    await LoadProgram.run(every: interval, bus: .application) { line in
      try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
  }
}

private func milliseconds(_ text: String) throws -> Duration {
  guard let milliseconds = Int(text), (10...86_400_000).contains(milliseconds) else {
    throw ValidationError("Specify a whole number from 10 to 86400000.")
  }
  return .milliseconds(milliseconds)
}

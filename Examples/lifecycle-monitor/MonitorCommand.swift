import ArgumentParser

/// The command `lifecycle-monitor`.
@main
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "lifecycle-monitor")
}

import ArgumentParser

/// The command, and what it starts itself as.
struct SignalLatency: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signal-latency",
    abstract:
      "Measures the time from Ctrl-Z to the first observer, and the wake-ups of an idle process.",
    subcommands: [Measure.self, RunPeer.self],
    defaultSubcommand: Measure.self
  )
}

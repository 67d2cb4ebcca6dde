import ArgumentParser
import Dispatch
import Foundation
import ProgramReporting

/// The program.
@main
enum LifecycleMonitor {
  static func main() {
    StandardDescriptors.occupy()
    #if os(Linux)
      // It stops with its command, and so decides which threads take signals: it has one.
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let record = try? MonitorCommand.parseAsRoot(arguments) as? RecordCommand {
        record.run(CommandLine.rawArguments)
      }
    #endif
    Task {
      await MonitorCommand.runOnArguments()
      exit(EXIT_SUCCESS)
    }
    dispatchMain()
  }
}

/// The command `lifecycle-monitor`.
struct MonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifecycle-monitor",
    abstract:
      "Shows what happens to a process, and what happened to it: live, or from a recording.",
    discussion: """
      EXAMPLES
        lifecycle-monitor watch
        lifecycle-monitor record life.jsonl -- sleep 60
        lifecycle-monitor timeline life.jsonl --html life.html
        lifecycle-monitor explain life.jsonl
        lifecycle-monitor explain recordings

      A recording is a file of JSON Lines, as the module LifecycleFlightRecording writes it. \
      lifecycle-monitor --generate-completion-script bash (or zsh, fish) prints a completion script.

      EXIT STATUS
        64  an argument is wrong
        65  the file is no recording
        66  the file is not there, or can't be read
        73  an output file can't be created
        74  an output can't be written
      """,
    subcommands: subcommands
  )

  private static var subcommands: [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = [WatchCommand.self]
    #if os(Linux)
      commands.append(RecordCommand.self)
    #endif
    return commands + [ReplayCommand.self, TimelineCommand.self, ExplainCommand.self]
  }
}

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

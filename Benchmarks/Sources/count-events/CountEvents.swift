import ArgumentParser
import EventCounts
import Foundation

/// Performs scenarios, for valgrind to count.
@main
struct CountEvents: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count-events",
    abstract: "Performs scenarios, and checks that every observer was called.",
    discussion: "Each is performed in a child process, one after the other."
  )

  @Argument(
    help: ArgumentHelp("A scenario, and the number of its units.", valueName: "name=count")
  )
  var runs: [ScenarioRun]

  func run() throws {
    // Nothing may be allocated between two children: it would be counted.
    for run in runs {
      let child = ChildProcess.start()
      if child == 0 { Self.perform(run) }
      guard ChildProcess.succeeds(child) else { throw ExitCode.failure }
    }
  }

  /// Ends the process.
  private static func perform(_ run: ScenarioRun) -> Never {
    // What Swift's library does when a type is used first differs from process to process.
    let first = run.scenario.perform(16)
    let performance = performCounted(run.scenario, run.count)
    if let fault = performance.fault {
      FileHandle.standardError.write(Data("count-events: \(run): \(fault)\n".utf8))
      exit(withError: ExitCode.failure)
    }
    // Nothing is released: what is alive now is what dhat reports as alive at the end.
    withExtendedLifetime((first, performance)) { exit() }
  }
}

/// Performs a scenario. Callgrind counts only what happens in this function: its name is that of
/// `Scenario.countedFunction`.
@inline(never)
private func performCounted(_ scenario: Scenario, _ count: Int) -> Performance {
  scenario.perform(count)
}

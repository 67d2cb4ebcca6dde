import ArgumentParser
import EventCounts
import Foundation

/// Runs one scenario, for valgrind to count.
@main
struct CountEvents: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count-events",
    abstract: "Runs one scenario a number of times, and checks that every observer was called."
  )

  @Argument(help: "The scenario to run.")
  var scenario: Scenario

  @Option(help: "The number of events, subscriptions, or observers.")
  var count: Int

  func validate() throws {
    guard count > 0 else { throw ValidationError("--count must be greater than 0.") }
  }

  func run() throws {
    let performance = scenario.perform(count)
    if let fault = performance.fault {
      FileHandle.standardError.write(Data("count-events: \(scenario.rawValue): \(fault)\n".utf8))
      throw ExitCode.failure
    }
    // Nothing is released: what is alive now is what dhat reports as alive at the end.
    withExtendedLifetime(performance) { Self.exit() }
  }
}

import ArgumentParser
import Foundation
import IssueReporting

@main
struct SoakCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Uses the library at random on several threads, and checks the guarantees.",
    discussion: """
      It sends, observes, connects sources, waits, iterates, counts down, works in the background, \
      fetches, keeps a journal, and records to a file. Each epoch has separate buses, which all \
      threads use, and which end with it. Exits with 1 if a guarantee did not hold, if memory \
      grew, if a descriptor, a thread, or an object that an observer captured is left, or if \
      something waits for longer than `--patience`.

      The last lines are the growth of the memory, and the number of checks of each guarantee. The \
      benchmarks' README.md describes the checks.
      """
  )

  @Option(help: "The time to run, in seconds.")
  var seconds = 60

  @Option(help: "The number of threads.")
  var threads = max(4, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "The seed of the first epoch. The order of the threads differs in each run.")
  var seed = UInt64.random(in: 0...UInt64.max)

  @Option(help: "The number of things that each thread does in an epoch.")
  var steps = 2_000

  @Option(help: "The time after which something that waits counts as a fault, in seconds.")
  var patience = 300

  @Option(help: "The folder for files. Those of an epoch with a fault stay there.")
  var folder = EpochFiles.defaultParent

  @Option(
    name: .customLong("break"),
    help: ArgumentHelp("A fault to make, to show that it is noticed.", visibility: .hidden)
  )
  var deliberateFault: DeliberateFault?

  func validate() throws {
    guard threads > 0 else { throw ValidationError("Specify at least one thread.") }
    guard steps >= 100 else { throw ValidationError("An epoch needs at least 100 steps.") }
  }

  func run() async throws {
    print("seed \(seed), \(threads) threads, \(seconds) s")
    // What ends the process at once does not write out what is buffered.
    fflush(nil)
    let faults = Faults(deliberate: deliberateFault)
    let issues = IssueCheck(faults)
    IssueReporters.current = [issues]
    var soak = Soak(
      seed: seed,
      threads: threads,
      steps: steps,
      folder: folder,
      patience: .seconds(patience),
      faults,
      issues
    )
    let quarter = Duration.seconds(seconds) / 4
    // The first quarter is to warm up.
    try await soak.run(for: quarter, atLeast: 5)
    guard faults.isEmpty else { throw ExitCode.failure }
    let (before, epoch) = (await soak.useWhenIdle(), soak.epoch)
    try await soak.run(for: quarter * 3, atLeast: 15)
    guard faults.isEmpty else { throw ExitCode.failure }
    let after = await soak.useWhenIdle(comparedWith: before)
    soak.check(before, after, epochs: Int(soak.epoch - epoch))
    guard faults.isEmpty else { throw ExitCode.failure }
  }
}

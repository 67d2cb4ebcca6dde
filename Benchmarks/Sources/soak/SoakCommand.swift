import ArgumentParser
import Foundation

@main
struct SoakCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Uses the library at random on several threads, and checks the guarantees.",
    discussion: """
      It sends, observes, connects sources, waits, iterates, counts down, works in the background, \
      fetches, keeps a journal, and records to a file. Each epoch has buses of its own, which all \
      threads use, and which end with it. Exits with 1 if a guarantee did not hold, if memory \
      grew, if a descriptor, a thread, or an object that an observer captured is left, or if \
      something waits for 5 minutes.
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

  func validate() throws {
    guard threads > 0 else { throw ValidationError("Specify at least one thread.") }
    guard steps >= 100 else { throw ValidationError("An epoch needs at least 100 steps.") }
  }

  func run() async throws {
    print("seed \(seed), \(threads) threads, \(seconds) s")
    // What ends the process at once does not write out what is buffered.
    fflush(nil)
    var soak = Soak(seed: seed, threads: threads, steps: steps)
    let quarter = Duration.seconds(seconds) / 4
    // The first quarter is to warm up.
    try await soak.run(for: quarter, atLeast: 5)
    let before = await soak.useWhenIdle()
    try await soak.run(for: quarter * 3, atLeast: 15)
    soak.check(before, await soak.useWhenIdle())
    guard soak.faults.isEmpty else { throw ExitCode.failure }
  }
}

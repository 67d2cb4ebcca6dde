import ArgumentParser
import Foundation

@main
enum Program {
  /// Performs a scenario without starting a thread, of which valgrind 3.19 makes a fault; or checks the
  /// counts of all.
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == Scenario.option {
      return Scenario.perform(arguments[2], units: Int(arguments[3]) ?? 0)
    }
    Task {
      await CheckCounts.main()
      exit(0)
    }
    dispatchMain()
  }
}

/// Compares the counts of scenarios with the saved ones.
struct CheckCounts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-counts",
    abstract: "Counts instructions, allocations and bytes, and compares them with saved counts.",
    discussion: """
      Each scenario runs under valgrind with N and with 2N units; the difference is the cost of N. \
      Exits with 1 if a count is worse than the saved one by more than its tolerance.
      """
  )

  @Option(help: "The file of saved counts.")
  var counts = "Benchmarks/Counts.json"

  @Flag(help: "Save the counts instead of comparing them.")
  var save = false

  func run() async throws {
    #if DEBUG
      throw ValidationError("The counts of a debug build mean nothing. Run with -c release.")
    #else
      try await check()
    #endif
  }

  private func check() async throws {
    let url = URL(filePath: counts)
    let saved =
      save ? [:] : try JSONDecoder().decode(Counts.self, from: try Data(contentsOf: url))
    var present: Counts = [:]
    var failures = 0
    for scenario in Scenario.all {
      let counted = try await Valgrind.counts(of: scenario)
      present[scenario.name] = counted
      failures += compare(counted, with: saved[scenario.name] ?? [:], of: scenario.name)
    }
    let launch = try await Valgrind.launchCounts(of: "small-client")
    present["launch"] = launch
    failures += compare(launch, with: saved["launch"] ?? [:], of: "launch")
    if save {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try (encoder.encode(present) + Data("\n".utf8)).write(to: url)
      return print("Saved in \(counts).")
    }
    guard failures == 0 else {
      print("\(failures) counts are too high. Save them with --save, and commit the reason.")
      throw ExitCode.failure
    }
  }

  /// Prints a line for each count, and returns the number of those that are too high.
  private func compare(
    _ counted: [Quantity: Double],
    with saved: [Quantity: Double],
    of name: String
  ) -> Int {
    var failures = 0
    for quantity in Quantity.allCases {
      guard let now = counted[quantity] else { continue }
      let limit = saved[quantity].map { $0 * (1 + quantity.tolerance) } ?? (save ? .infinity : -1)
      let isTooHigh = now > limit
      if isTooHigh { failures += 1 }
      let before = saved[quantity].map { String(format: "%.1f", $0) } ?? "–"
      let line = "\(name), \(quantity): \(before) → \(String(format: "%.1f", now))"
      print(line + (isTooHigh ? "  TOO HIGH" : ""))
    }
    return failures
  }
}

/// The counts of each scenario, by its name.
typealias Counts = [String: [Quantity: Double]]

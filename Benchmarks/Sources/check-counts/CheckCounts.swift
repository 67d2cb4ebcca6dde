import ArgumentParser
import Foundation

@main
enum Program {
  /// Performs a scenario without starting a thread, which crashes valgrind 3.19; or checks the counts
  /// of all.
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
      Exits with 1 if a count differs from the saved one by more than its tolerance.
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
    var present: Counts = [:]
    for scenario in Scenario.all {
      present[scenario.name] = try await Valgrind.counts(of: scenario)
    }
    present["launch"] = try await Valgrind.launchCounts(of: "small-client")
    if save {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try (encoder.encode(present) + Data("\n".utf8)).write(to: url)
      return print("Saved in \(counts).")
    }
    let saved = try JSONDecoder().decode(Counts.self, from: try Data(contentsOf: url))
    let failures = Set(saved.keys).union(present.keys).sorted().reduce(0) { failures, name in
      failures + compare(present[name] ?? [:], with: saved[name] ?? [:], of: name)
    }
    guard failures == 0 else {
      print("\(failures) counts differ. If they should, save them with --save, with the reason.")
      throw ExitCode.failure
    }
  }

  /// Prints a line for each count, and returns the number of those that differ.
  private func compare(
    _ counted: [Quantity: Double],
    with saved: [Quantity: Double],
    of name: String
  ) -> Int {
    func text(_ count: Double?) -> String { count.map { String(format: "%.1f", $0) } ?? "none" }
    return Quantity.allCases.reduce(0) { failures, quantity in
      let (before, now) = (saved[quantity], counted[quantity])
      guard before != nil || now != nil else { return failures }
      let isAccepted = before.map { quantity.accepted(around: $0).contains(now ?? -1) } ?? false
      let verdict = isAccepted ? "" : now ?? 0 > before ?? 0 ? "  MORE" : "  LESS"
      print("\(name), \(quantity): \(text(before)) → \(text(now))\(verdict)")
      return failures + (isAccepted ? 0 : 1)
    }
  }
}

/// The counts of each scenario, by its name.
typealias Counts = [String: [Quantity: Double]]

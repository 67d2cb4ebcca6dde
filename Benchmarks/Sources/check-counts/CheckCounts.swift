import ArgumentParser
import EventCounts

/// Compares counts with the saved ones.
@main
struct CheckCounts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-counts",
    abstract:
      "Counts instructions, allocations, and bytes, and compares them with the saved counts.",
    discussion: """
      Each scenario of count-events runs under valgrind with N and with 2N events; the difference is \
      the cost of N. Exits with 1 if a count is worse than the saved one or exceeds a limit.
      """
  )

  @Option(help: ArgumentHelp("The scenario to count; by default, all.", valueName: "name"))
  var scenario: [Scenario] = []

  @Option(
    help: ArgumentHelp(
      "The file of saved counts; by default, Thresholds.json in the package Benchmarks.",
      valueName: "file"
    )
  )
  var thresholds: String?

  @Flag(help: "Save the counts instead of comparing them.")
  var save = false

  func run() async throws {
    do {
      try await check()
    } catch let failure as Failure {
      writeToStandardError("check-counts: \(failure.message)")
      throw ExitCode(failure.status)
    }
  }

  private func check() async throws {
    #if DEBUG
      throw Failure(
        "The counts of a debug build are meaningless. Run with -c release.",
        .usage
      )
    #else
      let counter = try await RunCounter()
      let toolchain = try await presentToolchain(valgrind: counter.valgrindVersion)
      let file = ThresholdsFile(path: thresholds)
      let scenarios = scenario.isEmpty ? Scenario.allCases : scenario
      if save {
        try await save(scenarios, to: file, toolchain, counter)
      } else {
        try await compare(scenarios, with: file, toolchain, counter)
      }
    #endif
  }

  private func save(
    _ scenarios: [Scenario],
    to file: ThresholdsFile,
    _ toolchain: [String: String],
    _ counter: RunCounter
  ) async throws {
    // Some scenarios can be saved only beside others that were counted with the same tools.
    let kept = scenario.isEmpty ? Thresholds(toolchain: toolchain) : try file.read()
    let differences = kept.differences(from: toolchain)
    guard differences.isEmpty else {
      throw Failure(
        "\(file.path) was saved with other tools. Save all scenarios.\n"
          + differences.joined(separator: "\n"),
        .usage
      )
    }
    let counts = try await counter.counts(of: scenarios, Quantity.allCases)
    let updated = kept.replacing(counts)
    print(ComparisonTable(comparisons(counts, with: updated)))
    try file.write(updated)
    print("Saved in \(file.path).")
  }

  private func compare(
    _ scenarios: [Scenario],
    with file: ThresholdsFile,
    _ toolchain: [String: String],
    _ counter: RunCounter
  ) async throws {
    let saved = try file.read()
    let differences = saved.differences(from: toolchain)
    let quantities = Quantity.allCases.filter { $0 != .instructions || differences.isEmpty }
    let counts = try await counter.counts(of: scenarios, quantities)
    let comparisons = comparisons(counts, with: saved)
    print(ComparisonTable(comparisons))
    if !differences.isEmpty { warnOfSkippedInstructions(differences) }
    try judge(comparisons)
  }

  private func warnOfSkippedInstructions(_ differences: [String]) {
    writeToStandardError(
      """

      *** INSTRUCTIONS WERE NOT CHECKED: they depend on tools that have changed.
      \(differences.map { "***   \($0)" }.joined(separator: "\n"))
      *** Run check-counts --save with the tools that you want to keep, and commit the result.
      """
    )
  }

  private func judge(_ comparisons: [Comparison]) throws {
    let failures = comparisons.filter(\.fails)
    guard !failures.isEmpty else { return print("No count is worse than the saved one.") }
    let isUnsaved = failures.contains { $0.verdict == .unsaved }
    writeToStandardError(
      """

      check-counts: \(failures.count) of \(comparisons.count) counts failed:
      \(failures.map { "  \($0)" }.joined(separator: "\n"))
      """ + (isUnsaved ? "\nSave new counts with --save." : "")
    )
    throw ExitCode.failure
  }
}

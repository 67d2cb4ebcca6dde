import EventCounts
import Foundation
import Subprocess

/// Runs `count-events` under valgrind.
struct Valgrind: Sendable {
  let version: String
  private let executable: Executable
  private let countEvents: String

  /// Nothing of the caller's environment, and what else makes runs repeat.
  private static let environment = Environment.custom([
    "SWIFT_DETERMINISTIC_HASHING": "1",
    // Without these, the C library copies memory in a way that depends on the processor.
    "GLIBC_TUNABLES":
      "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM,-SSSE3",
  ])

  init() async throws {
    version = try await versionText(
      of: "valgrind",
      hint: "Install it, for instance with: apt-get install valgrind"
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    executable = .path(try await Executable.name("valgrind").resolveExecutablePath(in: .inherit))
    guard let directory = Bundle.main.executableURL?.deletingLastPathComponent() else {
      throw Failure("The directory of check-counts is unknown.", .internalError)
    }
    countEvents = directory.appending(path: "count-events").path
    guard FileManager.default.isExecutableFile(atPath: countEvents) else {
      throw Failure(
        "count-events is not beside check-counts. Start both with: "
          + "swift run -c release --package-path Benchmarks check-counts",
        .missingTool
      )
    }
  }

  /// The totals of one run.
  func totals(_ run: CountedRun) async throws -> [Quantity: Int] {
    let result = try await Subprocess.run(
      executable,
      arguments: [
        "--tool=\(run.tool)", "--\(run.tool)-out-file=/dev/null",
        countEvents, run.scenario.rawValue, "--count", "\(run.count)",
      ],
      environment: Self.environment,
      output: .discarded,
      error: .string(limit: 1 << 17)
    )
    let log = result.standardError
    guard result.terminationStatus.isSuccess else {
      throw failure(of: run, result.terminationStatus, log)
    }
    guard let totals = run.tool.totals(in: log) else {
      throw Failure("\(run): \(version) printed no totals.\n\(log)", .internalError)
    }
    return totals
  }

  private func failure(of run: CountedRun, _ status: TerminationStatus, _ log: String) -> Failure {
    let ownLines = log.split(separator: "\n").filter { !$0.hasPrefix("==") }
    return Failure(
      "\(run) ended with \(status).\n\(ownLines.joined(separator: "\n"))",
      status == .exited(1) ? .check : .internalError
    )
  }
}

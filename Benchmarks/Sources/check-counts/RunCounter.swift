import EventCounts
import Foundation
import Subprocess

/// Runs the programs that are counted.
struct RunCounter: Sendable {
  let valgrindVersion: String
  private let valgrind: Executable
  private let folder: URL

  /// Nothing of the caller's environment, and what else makes runs repeat.
  private static let environment = Environment.custom([
    "SWIFT_DETERMINISTIC_HASHING": "1",
    // Without these, the C library copies memory in a way that depends on the processor.
    "GLIBC_TUNABLES":
      "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM,-SSSE3",
  ])

  init() async throws {
    valgrindVersion = try await versionText(
      of: "valgrind",
      hint: "Install it, for example with: apt-get install valgrind"
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    valgrind = .path(try await Executable.name("valgrind").resolveExecutablePath(in: .inherit))
    guard let directory = Bundle.main.executableURL?.deletingLastPathComponent() else {
      throw Failure("The directory of check-counts is unknown.", .internalError)
    }
    folder = directory
  }

  private func path(of program: String) throws -> String {
    let path = folder.appending(path: program).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure(
        "\(program) is not beside check-counts. Start both with: "
          + "swift run -c release --package-path Benchmarks check-counts",
        .missingTool
      )
    }
    return path
  }

  /// The totals of the runs of one process.
  func totals(_ batch: CountedBatch) async throws -> [CountedRun: [Quantity: Int]] {
    let program = try path(of: batch.program)
    let report =
      switch batch.tool {
      case .callgrind, .dhat: try await valgrindLog(of: batch, program)
      case .linker: try await libraryList(of: batch, program)
      case .kernel: try await processStatus(of: batch, program)
      }
    guard let totals = batch.totals(in: report) else {
      throw Failure("\(batch): its report contains no totals.\n\(report)", .internalError)
    }
    return totals
  }

  private func valgrindLog(of batch: CountedBatch, _ program: String) async throws -> String {
    let result = try await Subprocess.run(
      valgrind,
      arguments: Arguments(
        ["--tool=\(batch.tool)", "--\(batch.tool)-out-file=/dev/null"] + batch.options
          + [program] + batch.arguments
      ),
      environment: Self.environment,
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    let log = result.standardError
    guard result.terminationStatus.isSuccess else {
      throw failure(of: batch, result.terminationStatus, log)
    }
    return log
  }

  private func libraryList(of batch: CountedBatch, _ program: String) async throws -> String {
    let result = try await Subprocess.run(
      .path(.init(program)),
      arguments: Arguments(batch.arguments),
      // The dynamic linker lists the libraries, and does not start the program.
      environment: .custom(["LD_TRACE_LOADED_OBJECTS": "1"]),
      output: .string(limit: 1 << 17)
    )
    return result.standardOutput
  }

  private func processStatus(of batch: CountedBatch, _ program: String) async throws -> String {
    let result = try await Subprocess.run(
      .path(.init(program)),
      arguments: Arguments(batch.arguments),
      environment: Self.environment,
      input: .inputWriter,
      output: .sequence,
      error: .discarded
    ) { execution in
      // It writes once it has started, and then waits for the end of its input.
      for try await _ in execution.standardOutput { break }
      let status = try String(
        contentsOfFile: "/proc/\(execution.processIdentifier.value)/status",
        encoding: .utf8
      )
      try await execution.standardInputWriter.finish()
      return status
    }
    return result.closureResult
  }

  private func failure(
    of batch: CountedBatch,
    _ status: TerminationStatus,
    _ log: String
  ) -> Failure {
    let ownLines = log.split(separator: "\n").filter { !$0.hasPrefix("==") }
    return Failure(
      "\(batch) ended with \(status).\n\(ownLines.joined(separator: "\n"))",
      status == .exited(1) ? .check : .internalError
    )
  }
}

import Foundation
import Subprocess

/// What is counted of a scenario, for each unit.
enum Quantity: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case instructions
  case allocations
  /// Heap bytes that are in use at the end.
  case bytes
  /// Shared libraries that the dynamic linker loads.
  case libraries
  /// The greatest number of bytes in physical memory.
  case memory

  /// The range of the counts that pass. Instructions and bytes vary with the compiler and the C
  /// library; a table that grows now and then is a fraction of an allocation.
  func accepted(around saved: Double) -> ClosedRange<Double> {
    switch self {
    case .instructions, .bytes: saved * 0.85...saved * 1.15
    case .memory: saved * 0.75...saved * 1.25
    case .allocations: saved - 0.5...saved + 0.5
    case .libraries: saved...saved
    }
  }
}

/// Runs scenarios under valgrind's tools.
enum Valgrind {
  /// What a unit of the scenario costs. What the program costs besides is in both runs, and cancels out.
  static func counts(of scenario: Scenario) async throws -> [Quantity: Double] {
    async let once = totals(of: scenario, scenario.units)
    async let twice = totals(of: scenario, 2 * scenario.units)
    let (less, more) = try await (once, twice)
    return less.reduce(into: [:]) { counts, total in
      guard let double = more[total.key] else { return }
      counts[total.key] = Double(double - total.value) / Double(scenario.units)
    }
  }

  /// What the start of a program costs.
  static func launchCounts(of program: String) async throws -> [Quantity: Double] {
    let path = try programPath(program)
    let log = try await log(["--tool=callgrind", "--callgrind-out-file=/dev/null", path])
    let libraries = try await Subprocess.run(
      .path(.init(path)),
      // The dynamic linker lists the libraries, and does not start the program.
      environment: .custom(["LD_TRACE_LOADED_OBJECTS": "1"]),
      output: .string(limit: 1 << 17)
    ).standardOutput
    let status = try await Subprocess.run(
      .path(.init(path)),
      environment: environment,
      input: .inputWriter,
      output: .sequence,
      error: .discarded
    ) { execution in
      // It writes once it has started, and then waits for the end of its input.
      for try await _ in execution.standardOutput { break }
      let file = "/proc/\(execution.processIdentifier.value)/status"
      let status = try String(contentsOfFile: file, encoding: .utf8)
      try await execution.standardInputWriter.finish()
      return status
    }
    return [
      .instructions: try number(in: log, after: "Collected : "),
      .libraries: Double(libraries.split(separator: "\n").count { $0.contains("/") }),
      .memory: try number(in: status.closureResult, after: "VmHWM:") * 1_024,
    ]
  }

  private static func totals(of scenario: Scenario, _ units: Int) async throws -> [Quantity: Int] {
    let arguments = [
      try programPath("check-counts"), Scenario.option, scenario.name, "\(units)",
    ]
    var totals: [Quantity: Int] = [:]
    if scenario.quantities.contains(.instructions) {
      let options = [
        "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*performCounted*",
      ]
      let log = try await log(options + arguments)
      totals[.instructions] = Int(try number(in: log, after: "Collected : "))
    }
    if !scenario.quantities.isDisjoint(with: [.allocations, .bytes]) {
      let log = try await log(["--tool=dhat", "--dhat-out-file=/dev/null"] + arguments)
      let quantities: [Quantity: String] = [.allocations: #"Total: .* in "#, .bytes: "At t-end: +"]
      for (quantity, text) in quantities where scenario.quantities.contains(quantity) {
        totals[quantity] = Int(try number(in: log, after: text))
      }
    }
    return totals
  }

  /// Nothing of the caller's environment, and what else makes runs repeat.
  private static let environment = Environment.custom([
    "SWIFT_DETERMINISTIC_HASHING": "1",
    // Without these, the C library copies memory in a way that depends on the processor.
    "GLIBC_TUNABLES":
      "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM,-SSSE3",
  ])

  private static func log(_ arguments: [String]) async throws -> String {
    let result = try await Subprocess.run(
      .name("valgrind"),
      arguments: Arguments(arguments),
      environment: environment.updating(["PATH": ProcessInfo.processInfo.environment["PATH"]]),
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    guard result.terminationStatus.isSuccess else {
      throw Failure(text: "\(arguments.joined(separator: " ")) failed:\n\(result.standardError)")
    }
    return result.standardError
  }

  private static func programPath(_ name: String) throws -> String {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    guard let path = folder?.appending(path: name).path,
      FileManager.default.isExecutableFile(atPath: path)
    else {
      throw Failure(text: "\(name) is not beside check-counts. Build the whole package Benchmarks.")
    }
    return path
  }

  /// The first number behind a text, without its separators of thousands.
  private static func number(in log: String, after pattern: String) throws -> Double {
    let regex = try Regex("\(pattern)[^0-9]*([0-9,]+)")
    guard let digits = log.firstMatch(of: regex)?.output[1].substring,
      let number = Double(digits.filter(\.isNumber))
    else { throw Failure(text: "There is no \"\(pattern)\" in:\n\(log)") }
    return number
  }

  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}

import Foundation
import Subprocess
import Testing

/// A run of the program, which writes faults to standard error.
private func soak(
  _ options: String...
) async throws -> (status: TerminationStatus, faults: String) {
  let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let program = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: "soak")
  let result = try await run(
    .path(.init(program.path)),
    arguments: Arguments(["--seconds", "0", "--seed", "1"] + options),
    output: .discarded,
    error: .string(limit: 1 << 20)
  )
  return (result.terminationStatus, result.standardError)
}

@Suite("Soak")
struct SoakTests {
  @Test("A short run finds nothing", .timeLimit(.minutes(10)))
  func shortRun() async throws {
    let run = try await soak("--steps", "200")
    #expect(run.faults == "")
    #expect(run.status == .exited(0))
  }

  /// A deliberate fault, and what the report of it contains.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var report: String
    var testDescription: String { name }

    init(_ name: String, _ report: String) {
      self.name = name
      self.report = report
    }
  }

  @Test(
    "A deliberate fault is reported",
    .timeLimit(.minutes(10)),
    arguments: [
      Fault("path", "G1: "),
      Fault("suppression", "inputs are counted as duplicate, but 0 are published"),
      Fault("gap", "G3: first: "),
      Fault("order", "G4: "),
      Fault("joining", "G5: closure: "),
      Fault("leaving", "G6: closure: called on the thread that had cancelled it"),
      Fault("closure", "G6: what a closure captured before event"),
      Fault("overlap", "G7: an observer is called on thread"),
      Fault("actor", "G7: an observer of the main actor is called elsewhere"),
      Fault("completion", ": the stream has not finished"),
      Fault("scope", "G9: the order of the cancellations is [5, 4, 3, 2, 1]"),
      Fault("backlog", "G10: slow: "),
      Fault("stay", "G11: away 1.0 seconds"),
      Fault("replacement", "G12: received"),
      Fault("memory", "leftovers: memory in use grew"),
      Fault("descriptor", " descriptors are left"),
      Fault("thread", " threads are left"),
    ]
  )
  func deliberateFault(_ fault: Fault) async throws {
    let run = try await soak("--steps", "1000", "--break", fault.name)
    #expect(run.faults.contains(fault.report))
    #expect(run.status == .exited(1))
  }

  @Test(
    "Something that waits for too long is reported",
    .timeLimit(.minutes(10)),
    arguments: [
      Fault("wait", "epoch 1 of seed 1: not over after 20.0 seconds"),
      Fault("object", "captured objects are left"),
    ]
  )
  func waiting(_ fault: Fault) async throws {
    let run = try await soak("--steps", "100", "--patience", "20", "--break", fault.name)
    #expect(run.faults.contains(fault.report))
    #expect(run.status == .exited(1))
  }
}

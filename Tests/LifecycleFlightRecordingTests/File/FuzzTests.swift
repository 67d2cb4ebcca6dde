import CustomDump
import Foundation
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

/// Recordings whose bytes were changed at random.
///
/// `LIFECYCLE_FUZZ=1000000` sets the number of changed files; `LIFECYCLE_SEED` names the one to read.
@Suite("Recording files: random changes")
struct FuzzTests {
  @Test("However a file is changed, nothing traps, and no line is lost in silence")
  func changedFiles() throws {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_FUZZ"].flatMap(UInt64.init)
    var originals = [FlightRecording.sample.jsonLines, FlightRecording.sample.jsonLines]
    originals[1] += FlightRecording.sample.jsonLines
    for seed in 1...30 {
      var random = RandomRecording(seed: UInt64(seed))
      originals.append(random.next(recordCount: 6).jsonLines)
    }
    for original in originals {
      expectNoDifference(FlightFile.readingFault(in: original), nil)
      #expect(try FlightFile(parsing: original).damage.isEmpty)
    }
    var (failed, damaged, same) = (0, 0, 0)
    for seed in seeds(chosen ?? 400) {
      var mutator = Mutator(seed: seed)
      let original = originals[Int(seed % 4 == 0 ? seed / 4 % UInt64(originals.count) : seed % 2)]
      let bytes = mutator.mutate(original)
      if let fault = FlightFile.readingFault(in: bytes) { Issue.record("seed \(seed): \(fault)") }
      guard let file = try? FlightFile(parsing: bytes) else {
        failed += 1
        continue
      }
      if file.damage.isEmpty { same += 1 } else { damaged += 1 }
    }
    if let chosen {
      print("\(chosen) files: \(failed) errors, \(damaged) with damage, \(same) without")
    }
  }

  @Test("A change of a single byte is noticed, or changes a value, or nothing")
  func singleBytes() throws {
    let original = Array(sampleLines.utf8)
    for place in original.indices {
      var bytes = original
      bytes[place] ^= 1 << UInt8(place % 8)
      guard let file = try? FlightFile(parsing: bytes), file.damage.isEmpty else { continue }
      expectNoDifference(file.recordings.map(\.records.count), [11], "\(place)")
    }
  }
}

import CustomDump
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleFlightRecording

/// The machine that decides what is written, with files that are arrays.
@Suite("Recording continuously: what is written next")
struct WriterMachineTests {
  private enum Operation: CaseIterable {
    case record, step, failedStep, spoiledStep, gap, reopen
  }

  /// A writer without a system.
  private struct Stage {
    var machine: FlightWriterMachine
    var files: [[UInt8]]
    /// The count of the records that were made.
    var made = 0
    /// The numbers of the records that were missed.
    var missed: Set<Int> = []
    var coder = FlightLineCoder()

    static let process = FlightRecording.Process(name: "stage", id: 1)

    init(limit: Int, file: [UInt8] = []) {
      machine = FlightWriterMachine(Self.process, start: Self.start(0), limit: limit)
      files = [file]
      open()
    }

    static func start(_ number: Int) -> FlightRecording.Start {
      FlightRecording.Start(at: instant(number - 1), dropped: number)
    }

    static func instant(_ number: Int) -> LifecycleInstant {
      LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .seconds(number))
    }

    static func record(_ number: Int) -> FlightRecord {
      FlightRecord(.note("\(number)"), at: instant(number))
    }

    mutating func open() {
      let last = files[files.count - 1]
      machine.didOpen(size: last.count, endsWithinLine: last.last.map { $0 != 10 } ?? false)
    }

    mutating func record() {
      machine.add([Self.record(made)])
      made += 1
    }

    mutating func perform(_ operation: Operation) {
      switch operation {
      case .record: record()
      case .step: step()
      case .failedStep: _ = machine.step(coder)
      case .spoiledStep:
        guard case .append(let bytes, _) = machine.step(coder) else { return }
        files[files.count - 1] += bytes.prefix(bytes.count / 2)
        machine.didSpoil(size: files[files.count - 1].count)
      case .gap:
        guard !machine.isWaiting else { return }
        missed.formUnion([made, made + 1])
        made += 2
        machine.continueAfterGap(from: Self.start(made))
      case .reopen: open()
      }
    }

    mutating func step() {
      switch machine.step(coder) {
      case .append(let bytes, let records):
        files[files.count - 1] += bytes
        machine.didAppend(bytes.count, records: records)
      case .rotate:
        files.append([])
        open()
      case nil: break
      }
    }

    mutating func finish() {
      while machine.step(coder) != nil { step() }
    }
  }

  /// Everything that was made is in the files, once and in order, and each file can be read alone.
  private func check(_ stage: Stage, _ comment: Comment, limit: Int) {
    var numbers: Set<Int> = []
    for bytes in stage.files where !bytes.isEmpty {
      // Only a head with a single record may be larger.
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      #expect(bytes.count <= limit || lines.count <= 2, comment)
      let file: FlightFile
      do {
        file = try FlightFile(parsing: bytes)
      } catch {
        // Only heads that were cut off.
        #expect(!lines.contains { $0.last == UInt8(ascii: "}") }, comment)
        continue
      }
      for recording in file.recordings {
        #expect(recording.process == Stage.process, comment)
        let first = recording.start.dropped
        #expect(recording.start == Stage.start(first), comment)
        #expect(
          recording.records == recording.records.indices.map { Stage.record(first + $0) },
          comment
        )
        numbers.formUnion(first..<first + recording.records.count)
      }
      #expect(file.damage.allSatisfy { $0.reason.hasPrefix("it is cut off") }, comment)
    }
    #expect(numbers == Set(0..<stage.made).subtracting(stage.missed), comment)
    #expect(stage.machine.next == stage.made && !stage.machine.isWaiting, comment)
  }

  @Test("After long random sequences, the files are whole at any limit of their size")
  func randomSequences() {
    for seed in seeds(200) {
      var random = SeededGenerator(seed: seed)
      let limit = Int.random(in: 1...2_000, using: &random)
      var stage = Stage(limit: limit)
      for _ in 0..<60 { stage.perform(Operation.allCases.randomElement(using: &random)!) }
      stage.finish()
      check(stage, "seed \(seed)", limit: limit)
    }
  }
}

@preconcurrency import Benchmark
import Foundation

/// One row as swift-benchmark runs it.
final class Row: AnyBenchmark {
  let id: RowID
  private let operations: Int
  private let stage: Stage
  private let makeFixture: () -> Fixture

  init(_ id: RowID, operations: Int, stage: Stage, makeFixture: @escaping () -> Fixture) {
    self.id = id
    self.operations = operations
    self.stage = stage
    self.makeFixture = makeFixture
  }

  var name: String { id.description }
  var settings: [BenchmarkSetting] { [] }

  func setUp() {}
  func tearDown() {}

  /// Measures all iterations of a batch. swift-benchmark runs several batches, the first of one
  /// iteration, until it has enough of them.
  func run(_ state: inout BenchmarkState) throws {
    stage.enter(self, makeFixture)
    stage.operate(operations)
    for _ in 0..<state.iterations {
      try state.measure { stage.operate(operations) }
    }
    state.counters[BenchmarkOutput.operationsColumn] = Double(operations)
    do {
      try stage.check()
    } catch {
      // Thrown on, it would end in a trap of swift-benchmark's runner.
      FileHandle.standardError.write(Data("error: \(id): \(error).\n".utf8))
      exit(1)
    }
  }
}

/// Holds the fixture of the row that is being measured: 100,000 observers are made once a row, not
/// once a batch.
final class Stage {
  private weak var row: Row?
  private var fixture: Fixture?
  private var operations = 0

  func enter(_ row: Row, _ makeFixture: () -> Fixture) {
    guard self.row !== row else { return }
    fixture = nil
    self.row = row
    operations = 0
    fixture = makeFixture()
  }

  @inline(__always)
  func operate(_ count: Int) {
    operations += count
    fixture!.operate(count)
  }

  func check() throws {
    try fixture!.check(operations)
  }
}

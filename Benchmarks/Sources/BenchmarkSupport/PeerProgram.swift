@preconcurrency import Benchmark

/// A program that measures one peer, and prints swift-benchmark's JSON.
public struct PeerProgram {
  private let peer: String
  private let suite = BenchmarkSuite(name: "")
  private let stage = Stage()

  /// A program without rows.
  public init(_ peer: String) {
    self.peer = peer
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - form: How the observers are registered.
  ///   - operation: What is measured.
  ///   - size: How many there are of what the operation counts.
  ///   - operations: How many operations an iteration has: enough for 10 µs, so that reading the clock
  ///     does not show.
  ///   - makeFixture: Makes everything ready, outside the measured part.
  public func add(
    _ form: String,
    _ operation: BenchmarkOperation,
    size: Int,
    operations: Int,
    makeFixture: @escaping () -> Fixture
  ) {
    let id = RowID(peer, form, operation, size)
    suite.register(
      benchmark: Row(id, operations: operations, stage: stage, makeFixture: makeFixture)
    )
  }

  /// Measures the rows that the command line selects. Exits with 1 when an observer was called the
  /// wrong number of times.
  public func run() {
    BenchmarkColumn.register(
      BenchmarkColumn(
        name: BenchmarkOutput.operationsColumn,
        value: { $0.counters[BenchmarkOutput.operationsColumn]! }
      )
    )
    Benchmark.main(
      [suite],
      customDefaults: [
        MinTime(seconds: 0.05),
        Format(.json),
        Quiet(true),
        // The default columns hold a standard deviation, which can be NaN: not JSON.
        Columns(BenchmarkOutput.columns),
      ]
    )
  }
}

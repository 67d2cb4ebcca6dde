@preconcurrency import Benchmark
import LifecycleCore

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

/// What a row measures, made ready.
public struct Fixture {
  /// Performs the operation that often. The loop stands inside, so that the compiler sees it whole.
  let operate: (_ count: Int) -> Void
  /// Compares how often the observers were called with the number of operations so far.
  let check: (_ operations: Int) throws -> Void
  private let kept: Any

  /// A fixture that keeps the observers alive.
  ///
  /// - Parameters:
  ///   - kept: What must stay alive: tokens, owners, slots.
  ///   - operate: Performs the operation that often.
  ///   - check: Throws when an observer was called the wrong number of times.
  public init(
    keeping kept: Any,
    operate: @escaping (_ count: Int) -> Void,
    check: @escaping (_ operations: Int) throws -> Void
  ) {
    self.kept = kept
    self.operate = operate
    self.check = check
  }
}

extension LifecycleInstant {
  /// A fixed instant, so that no clock is read.
  public static let sample = LifecycleInstant(
    continuous: .boot + .seconds(1),
    timeAwake: .seconds(1),
    timeSince1970: .seconds(1)
  )
}

extension LifecycleEvent {
  /// What the peers send.
  public static let sample = LifecycleEvent(
    kind: .didReceiveMemoryWarning,
    previousPhase: .active,
    phase: .active,
    sequenceNumber: 1,
    instant: .sample,
    origin: .manual
  )
}

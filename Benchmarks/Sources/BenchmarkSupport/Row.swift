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

/// Says what a row measures. Its text is the benchmark's name in swift-benchmark's output:
/// `lifecycle-bus/token/send/100`.
public struct RowID: Hashable, Sendable {
  /// The program that measures it.
  public var peer: String
  /// How the observers are registered.
  public var form: String
  /// What is measured.
  public var operation: BenchmarkOperation
  /// How many there are of what ``BenchmarkOperation/sizeUnit`` says.
  public var size: Int

  /// The identifier of a row.
  public init(_ peer: String, _ form: String, _ operation: BenchmarkOperation, _ size: Int) {
    self.peer = peer
    self.form = form
    self.operation = operation
    self.size = size
  }
}

extension RowID: LosslessStringConvertible {
  public var description: String { "\(peer)/\(form)/\(operation.name)/\(size)" }

  public init?(_ description: String) {
    let parts = description.split(separator: "/").map(String.init)
    guard parts.count == 4,
      let operation = BenchmarkOperation.all.first(where: { $0.name == parts[2] }),
      let size = Int(parts[3])
    else { return nil }
    self.init(parts[0], parts[1], operation, size)
  }
}

extension RowID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = RowID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: """
          "\(text)" is not a row's identifier: peer/form/operation/size, with an operation that \
          BenchmarkOperation.all knows.
          """
      )
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// What a peer prints: swift-benchmark's JSON with the columns that ``PeerProgram`` asks for.
public struct BenchmarkOutput: Decodable {
  /// One row.
  public struct Row: Decodable {
    /// What was measured.
    public var name: RowID
    /// The median duration of an iteration, in nanoseconds.
    public var median: Double
    /// How many iterations were measured.
    public var iterations: Double
    /// How many operations an iteration has.
    public var operations: Double

    /// The duration of one operation, in nanoseconds.
    public var cost: Double { median / operations }
  }

  /// The rows, in the order of their measurement.
  public var benchmarks: [Row]

  static let operationsColumn = "operations"
  static let columns = ["name", "median", "iterations", operationsColumn]
}

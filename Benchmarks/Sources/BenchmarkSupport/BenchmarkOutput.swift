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

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

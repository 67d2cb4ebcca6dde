import BenchmarkSupport

/// What all rounds measured.
struct Measurements {
  /// One round: the cost of an operation in each row, in nanoseconds.
  typealias Round = [RowID: Double]

  /// The rounds, in order.
  private(set) var rounds: [Round] = []
  /// The rows, in the order of the first round.
  private(set) var rows: [RowID] = []

  /// Adds what the peers measured in a round.
  mutating func addRound(_ measured: [BenchmarkOutput.Row]) {
    if rounds.isEmpty { rows = measured.map(\.name) }
    rounds.append(Dictionary(measured.map { ($0.name, $0.cost) }, uniquingKeysWith: { $1 }))
  }

  /// The spread of a value that is taken from each round by itself, so that a ratio compares what
  /// was measured at about the same time.
  func spread(_ value: (Round) -> Double?) -> Spread? {
    Spread(rounds.compactMap(value))
  }

  /// The median cost of an operation.
  func cost(of row: RowID) -> Double? {
    spread { $0[row] }?.median
  }

  /// Every row of every round.
  var csv: String {
    var lines = ["round,peer,form,operation,size,nanoseconds"]
    for (number, round) in rounds.enumerated() {
      for row in rows {
        guard let cost = round[row] else { continue }
        lines.append(
          "\(number + 1),\(row.peer),\(row.form),\(row.operation.name),\(row.size),\(cost)"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

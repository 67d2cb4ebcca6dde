import BenchmarkSupport
import Foundation

/// The rows of one form: a line in a table and in a plot.
struct Series {
  /// The program that measured them.
  let peer: Peer
  /// How the observers are registered.
  let form: String
  /// What was measured.
  let operation: BenchmarkOperation
  /// The median cost of an operation for each size, in order of size.
  let costs: [(size: Int, cost: Double)]

  /// What tables and plots call it.
  var name: String { "\(peer.name) \(form)" }

  /// The cost at a size; nil if it was not measured.
  func cost(at size: Int) -> Double? {
    costs.first { $0.size == size }?.cost
  }

  /// The cost at a size, as the line through the last two points continues.
  func cost(extrapolatedTo size: Int) -> Double {
    let (before, last) = (costs[costs.count - 2], costs[costs.count - 1])
    let exponent = log(last.cost / before.cost) / log(Double(last.size) / Double(before.size))
    return last.cost * pow(Double(size) / Double(last.size), exponent)
  }

  /// How the cost of an operation grows with the size.
  var exponent: Double? {
    growthExponent(
      costs.filter { $0.size >= operation.growthStart }.map { (Double($0.size), $0.cost) }
    )
  }

  /// The same divided by the size.
  var dividedBySize: Series {
    Series(
      peer: peer,
      form: form,
      operation: operation,
      costs: costs.map { ($0.size, $0.cost / Double($0.size)) }
    )
  }
}

extension Measurements {
  /// The series of an operation, peer by peer.
  func series(of operation: BenchmarkOperation) -> [Series] {
    Peer.all.flatMap { peer in
      let rows = rows.filter { $0.operation == operation && $0.peer == peer.name }
      var forms: [String] = []
      for row in rows where !forms.contains(row.form) { forms.append(row.form) }
      return forms.map { form in
        let rows = rows.filter { $0.form == form }.sorted { $0.size < $1.size }
        let costs = rows.compactMap { row in cost(of: row).map { (row.size, $0) } }
        return Series(peer: peer, form: form, operation: operation, costs: costs)
      }
    }
  }
}

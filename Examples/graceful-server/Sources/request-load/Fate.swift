/// The outcome of a request, or of the attempt to send one.
enum Fate: String, CaseIterable, Sendable {
  /// A complete response with the status 200 arrived.
  case answered
  /// A complete response with another status arrived.
  case failed
  /// The server did not accept the connection.
  case refused
  /// The connection was accepted, and ended before a complete response arrived.
  case lost
}

/// The number of requests by fate.
struct Tally: Sendable {
  private var counts: [Fate: Int] = [:]
  /// The responses after which the server ended the connection.
  var closed = 0

  subscript(fate: Fate) -> Int { counts[fate, default: 0] }

  mutating func count(_ fate: Fate) { counts[fate, default: 0] += 1 }

  static func + (one: Self, other: Self) -> Self {
    var sum = one
    sum.counts.merge(other.counts, uniquingKeysWith: +)
    sum.closed += other.closed
    return sum
  }
}

extension Tally: CustomStringConvertible {
  var description: String {
    Fate.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ")
      + ", closed \(closed)"
  }
}

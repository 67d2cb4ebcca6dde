/// All measurements of one run.
struct Latencies {
  private(set) var all: [Latency] = []

  mutating func append(_ latency: Latency) {
    all.append(latency)
  }

  /// What is told of a peer, or of its ratio to another: three quartiles.
  struct Summary {
    let lower: Double
    let median: Double
    let upper: Double

    init(of values: [Double]) {
      let sorted = values.sorted()
      lower = Self.quantile(0.25, of: sorted)
      median = Self.quantile(0.5, of: sorted)
      upper = Self.quantile(0.75, of: sorted)
    }

    private static func quantile(_ fraction: Double, of sorted: [Double]) -> Double {
      guard !sorted.isEmpty else { return .nan }
      let position = fraction * Double(sorted.count - 1)
      let below = sorted[Int(position)]
      let above = sorted[min(Int(position) + 1, sorted.count - 1)]
      return below + (above - below) * (position - position.rounded(.down))
    }
  }

  /// A peer's latencies in microseconds.
  func summary(of peer: Peer, _ value: KeyPath<Latency, Int64>) -> Summary {
    Summary(of: values(of: peer, value))
  }

  /// A peer's latency divided by the bare handler's in the same round.
  func ratios(of peer: Peer, _ value: KeyPath<Latency, Int64>) -> Summary {
    let pairs = zip(values(of: peer, value), values(of: .bareHandler, value))
    return Summary(of: pairs.map { $0 / $1 })
  }

  private func values(of peer: Peer, _ value: KeyPath<Latency, Int64>) -> [Double] {
    all.filter { $0.peer == peer }.map { Double($0[keyPath: value]) / 1_000 }
  }
}

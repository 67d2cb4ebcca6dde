import Foundation

/// The latencies as a table in Markdown.
struct LatencyTable {
  /// What a bus may cost, as a multiple of the bare handler.
  private static let limit = 1.5

  let latencies: Latencies
  let rounds: Int

  /// The table and what it means.
  var text: String {
    """
    Ctrl-Z typed to the parent's reading of the byte, µs, \(rounds) rounds, children in turn

    \(table(\.arrived))

    The same, to the call of the handler or of the observer by the child's clock, µs

    \(table(\.called))

    \(verdicts)
    """
  }

  private func table(_ value: KeyPath<Latency, Int64>) -> String {
    let head = """
      | child | median | quartiles | ratio of medians | median ratio in a round |
      | --- | ---: | ---: | ---: | ---: |
      """
    let rows = Peer.allCases.map { peer in
      let summary = latencies.summary(of: peer, value)
      let quartiles = "\(number(summary.lower, 1))–\(number(summary.upper, 1))"
      let ratio = number(ratio(of: peer, value), 2)
      let inRound = number(latencies.ratios(of: peer, value).median, 2)
      return
        "| \(peer.title) | \(number(summary.median, 1)) | \(quartiles) | \(ratio) | \(inRound) |"
    }
    return ([head] + rows).joined(separator: "\n")
  }

  private var verdicts: String {
    Peer.allCases.filter(\.isBus).map { peer in
      let ratio = ratio(of: peer, \.arrived)
      let verdict = ratio <= Self.limit ? "met" : "missed"
      return
        "\(peer.title): \(number(ratio, 2)) × the bare handler; ≤ \(Self.limit) is \(verdict) in this run"
    }.joined(separator: "\n")
  }

  private func ratio(of peer: Peer, _ value: KeyPath<Latency, Int64>) -> Double {
    latencies.summary(of: peer, value).median
      / latencies.summary(of: .bareHandler, value).median
  }

  private func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

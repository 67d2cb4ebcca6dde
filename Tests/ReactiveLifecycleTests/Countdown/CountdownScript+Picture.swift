import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle

/// What has become of it, and what should have.
extension CountdownScript {
  struct Standing: Equatable {
    var name: Int
    var state: Told
    var told: [[Told]]
  }

  struct Picture: Equatable {
    var standings: [Standing] = []
    /// What all of them were told, in order.
    var lines: [String] = []
    var timerCount: Int
  }

  func compare() -> (real: Picture, expected: Picture) {
    var real = Picture(timerCount: clock.timerCount)
    let isTimed = parties.contains { party in
      guard party.countdown != nil, party.oracle.deadline != nil else { return false }
      return !isAway || party.oracle.behavior == .finishOnTime
    }
    var expected = Picture(timerCount: isTimed ? 1 : 0)
    for party in parties {
      let state = party.countdown?.state
      real.standings.append(
        Standing(
          name: party.name,
          state: state.map { .state($0.status, Int($0.remaining / .milliseconds(1))) } ?? .ended,
          told: party.followers.map(\.told)
        )
      )
      expected.standings.append(
        Standing(
          name: party.name,
          state: state == nil ? .ended : party.oracle.state(now),
          told: party.followers.map(\.expected)
        )
      )
      for follower in party.followers {
        follower.told = []
        follower.expected = []
      }
    }
    if isInOneOrder { (real.lines, expected.lines) = (lines, expectedLines) }
    (lines, expectedLines, isInOneOrder) = ([], [], true)
    parties.removeAll { $0.countdown == nil }
    return (real, expected)
  }
}

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
    let isTimed = participants.contains { participant in
      guard participant.countdown != nil, participant.oracle.deadline != nil else { return false }
      return !isAway || participant.oracle.behavior == .finishOnTime
    }
    var expected = Picture(timerCount: isTimed ? 1 : 0)
    for participant in participants {
      let state = participant.countdown?.state
      real.standings.append(
        Standing(
          name: participant.name,
          state: state.map { .state($0.status, Int($0.remaining / .milliseconds(1))) } ?? .ended,
          told: participant.followers.map(\.told)
        )
      )
      expected.standings.append(
        Standing(
          name: participant.name,
          state: state == nil ? .ended : participant.oracle.state(now),
          told: participant.followers.map(\.expected)
        )
      )
      for follower in participant.followers {
        follower.told = []
        follower.expected = []
      }
    }
    if isInOneOrder { (real.lines, expected.lines) = (lines, expectedLines) }
    (lines, expectedLines, isInOneOrder) = ([], [], true)
    participants.removeAll { $0.countdown == nil }
    return (real, expected)
  }
}

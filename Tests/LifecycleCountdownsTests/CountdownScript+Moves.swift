import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle
import TestSupport

/// The steps that take the process to and fro, and those of the subscribers.
extension CountdownScript {
  /// To the background or back; half the time with commands from inside the event.
  func move() {
    isAway.toggle()
    log.append("  \(isAway ? "background" : "foreground")")
    let away: LifecycleEvent.Kind =
      bus.phase == .unknown ? .didFinishLaunching : .didEnterBackground
    let kind = isAway ? away : .didBecomeActive
    if bus.phase != .unknown, generator.next(below: 2) == 0 {
      // Observers of the way out run before the countdowns' own, those of the way back after it.
      if !isAway { moveOracles() }
      inside(kind, at: isAway ? kind : .willEnterForeground)
      if isAway { moveOracles() }
      finishJoining()
    } else {
      bus.send(kind)
      moveOracles()
    }
    for participant in inOrder {
      expect(participant, participant.oracle.tellReturn(now), isTick: true)
    }
  }

  /// By their ends, then by their starts.
  var inOrder: [Participant] {
    participants.sorted {
      ($0.oracle.deadline ?? .max, $0.order) < ($1.oracle.deadline ?? .max, $1.order)
    }
  }

  private func moveOracles() {
    for participant in inOrder {
      if isAway {
        expect(participant, participant.oracle.enterBackground(now))
      } else {
        participant.oracle.enterForeground(now)
        // A visit that did not last brings no tick to those that were not held.
        if lastLeft == now, participant.oracle.behavior != .pause {
          participant.oracle.owesReturn = false
        }
      }
    }
    if isAway { lastLeft = now }
  }

  /// Sends an event that has an observer do something.
  func inside(_ kind: LifecycleEvent.Kind, at event: LifecycleEvent.Kind) {
    isInside = true
    let token = bus.addObserver(for: [event]) { [unowned self] _ in
      for _ in 0...generator.next(below: 3) {
        generator.next(below: 4) == 0 ? random.map { join($0) } : command()
      }
    }
    bus.send(kind)
    token.cancel()
    isInside = false
  }

  /// Who joins inside an event starts after it.
  func finishJoining() {
    guard !joining.isEmpty else { return }
    for join in joining { join() }
    joining = []
    // When those that they join are told what is due depends on their turn.
    isInOneOrder = false
  }

  func join(_ participant: Participant) {
    guard let countdown = participant.countdown else { return }
    log.append("  \(participant.name) joined")
    let follower = Follower()
    let start = { [unowned self] in
      // The others are told of what nobody has noticed; the registration starts with it.
      expect(
        participant,
        participant.oracle.settle(now) + participant.oracle.tellReturn(now),
        isTick: true
      )
      follower.expected.append(participant.oracle.first(now))
      participant.followers.append(follower)
    }
    isInside ? joining.append(start) : start()
    let name = participant.name
    follower.sink = countdown.states.sink(
      receiveCompletion: { [unowned self, unowned follower] _ in
        receive(.ended, follower, of: name)
      },
      receiveValue: { [unowned self, unowned follower] state in
        let remaining = Int(state.remaining / .milliseconds(1))
        receive(.state(state.status, remaining), follower, of: name)
      }
    )
  }

  func leave() {
    guard let participant = random, participant.followers.count > 1 else { return }
    let follower = participant.followers.removeFirst()
    (follower.action, follower.expectedAction) = (nil, nil)
    follower.sink?.cancel()
  }

  func release() {
    guard let participant = random else { return }
    log.append("  \(participant.name)")
    participant.disarm()
    participant.countdown = nil
    expect(participant, [.ended])
  }
}

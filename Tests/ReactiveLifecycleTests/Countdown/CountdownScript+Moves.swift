import ReactiveLifecycle

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
    for party in parties { expect(party, party.oracle.tellReturn(now)) }
  }

  private func moveOracles() {
    for party in parties {
      if isAway {
        expect(party, party.oracle.enterBackground(now))
      } else {
        party.oracle.enterForeground(now)
        // A visit that did not last brings no tick to those that were not held.
        if lastLeft == now, party.oracle.behavior != .pause { party.oracle.owesReturn = false }
      }
    }
    if isAway { lastLeft = now }
  }

  /// Sends an event that has an observer do something.
  func inside(_ kind: LifecycleEvent.Kind, at event: LifecycleEvent.Kind) {
    isInside = true
    let token = bus.observe(for: [event]) { [unowned self] _ in
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
    for join in joining { join() }
    joining = []
  }

  func join(_ party: Party) {
    guard let countdown = party.countdown else { return }
    log.append("  \(party.name) joined")
    let follower = Follower()
    let start = { [unowned self] in
      // The others are told of what nobody has noticed; the newcomer starts with it.
      expect(party, party.oracle.settle(now) + party.oracle.tellReturn(now))
      follower.expected.append(party.oracle.first(now))
      party.followers.append(follower)
    }
    isInside ? joining.append(start) : start()
    follower.sink = countdown.states.sink(
      receiveCompletion: { [unowned follower] _ in follower.told.append(.ended) },
      receiveValue: { [unowned follower] state in
        follower.told.append(.state(state.status, Int(state.remaining / .milliseconds(1))))
      }
    )
  }

  func leave() {
    guard let party = random, party.followers.count > 1 else { return }
    party.followers.removeFirst().sink?.cancel()
  }

  func release() {
    guard let party = random else { return }
    log.append("  \(party.name)")
    party.countdown = nil
    expect(party, [.ended])
  }
}

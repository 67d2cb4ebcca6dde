import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle

/// The steps that move the clock, and in which order everybody is told what they have made due.
extension CountdownScript {
  /// Has a follower ask something of a countdown in its next tick, or in its end.
  func arm() {
    guard let party = random, !party.followers.isEmpty, let other = random else { return }
    let action = Action(
      party: other,
      command: pick(CountdownOracle.Command.allCases),
      time: amount()
    )
    let follower = pick(party.followers)
    log.append("  \(party.name): \(other.name) \(action.command) \(action.time)")
    follower.action = action
    follower.expectedAction = action
  }

  /// Has several end in one jump, some of which act on others.
  func crowd() {
    for party in parties { perform(.restart, 0, party) }
    for _ in 1...4 { arm() }
    pass(isLate: true) { clock.stopProcess(for: $0) }
  }

  func pass(isLate: Bool, _ move: (Duration) -> Void) {
    flush()
    let time = amount()
    log.append("  \(time)")
    isPassing = true
    move(.milliseconds(time))
    let end = now + time
    if isLate { now = end }
    tellDue()
    while !isLate, let moment = parties.compactMap({ $0.oracle.nextMoment(after: now) }).min(),
      moment <= end
    {
      now = moment
      tellDue()
    }
    now = end
    isPassing = false
  }

  private func tellDue() {
    flush()
    while noteNext() { flush() }
  }

  /// Takes note of what happened first of all that is due, and was started first.
  private func noteNext() -> Bool {
    let due = parties.compactMap { party in
      party.countdown == nil ? nil : party.oracle.due(now).map { (party, $0.moment) }
    }
    let first = due.min { ($0.1, $0.0.order) < ($1.1, $1.0.order) }
    guard let party = first?.0 else { return false }
    expect(party, party.oracle.look(now, isLate: true), isTick: true)
    return true
  }

  /// Takes note of the first of those that are owed their return.
  private func noteReturn() -> Bool {
    guard let party = inOrder.first(where: \.oracle.owesReturn) else { return false }
    expect(party, party.oracle.tellReturn(now), isTick: true)
    return true
  }

  // MARK: What is to be told

  /// What comes of a command. One to a countdown that has ended unnoticed comes after what happened
  /// before that end.
  func expect(_ command: CountdownOracle.Command, _ time: Int, _ party: Party) {
    while let deadline = party.oracle.deadline, deadline <= now, noteReturn() || noteNext() {}
    let status = party.oracle.status
    if command == .restart || command == .start && status == .idle {
      startCount += 1
      party.order = startCount
      party.run += 1
    } else if command == .cancel, status != .idle {
      party.run += 1
    }
    expect(party, party.oracle.command(command, by: time, now))
  }

  func expect(_ party: Party, _ told: [Told], isTick: Bool = false) {
    for told in told {
      var run: Int?
      if isTick, case .state(.running, _) = told { run = party.run }
      pending.append(
        News(party: party, told: told, followers: party.followers, tickOfRun: run)
      )
    }
  }

  /// Tells what is pending, and has the followers do what they do in a tick or an end.
  func flush() {
    while !pending.isEmpty {
      let news = pending.removeFirst()
      for follower in news.followers {
        if let run = news.tickOfRun, run != news.party.run { break }
        follower.expected.append(news.told)
        expectedLines.append("\(news.party.name) \(news.told)")
        guard isPassing, isForActing(news.told) else { continue }
        guard let action = follower.expectedAction.take(), action.party.countdown != nil else {
          continue
        }
        expect(action.command, action.time, action.party)
      }
    }
  }

  private func isForActing(_ told: Told) -> Bool {
    guard case .state(let status, _) = told else { return false }
    return status == .running || status == .finished
  }

  /// A follower is told something.
  func receive(_ told: Told, _ follower: Follower, of name: Int) {
    follower.told.append(told)
    if follower.hasJoined { lines.append("\(name) \(told)") }
    follower.hasJoined = true
    guard isPassing, isForActing(told), let action = follower.action.take() else { return }
    action.party.countdown?.perform(action.command, action.time)
  }
}

import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle

/// The steps that move the clock, and in which order everybody is told what they have made due.
extension CountdownScript {
  /// Has a follower ask something of a countdown in its next tick, or in its end.
  func arm() {
    guard let participant = random, !participant.followers.isEmpty, let other = random else {
      return
    }
    let action = Action(
      participant: other,
      command: pick(CountdownOracle.Command.allCases),
      time: amount()
    )
    let follower = pick(participant.followers)
    log.append("  \(participant.name): \(other.name) \(action.command) \(action.time)")
    follower.action = action
    follower.expectedAction = action
  }

  /// Has several end in one jump, some of which act on others.
  func crowd() {
    for participant in participants { perform(.restart, 0, participant) }
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
    while !isLate, let moment = participants.compactMap({ $0.oracle.nextMoment(after: now) }).min(),
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
    let due = participants.compactMap { participant in
      participant.countdown == nil
        ? nil : participant.oracle.due(now).map { (participant, $0.moment) }
    }
    let first = due.min { ($0.1, $0.0.order) < ($1.1, $1.0.order) }
    guard let participant = first?.0 else { return false }
    expect(participant, participant.oracle.look(now, isLate: true), isTick: true)
    return true
  }

  /// Takes note of the first of those that are owed their return.
  private func noteReturn() -> Bool {
    guard let participant = inOrder.first(where: \.oracle.owesReturn) else { return false }
    expect(participant, participant.oracle.tellReturn(now), isTick: true)
    return true
  }

  // MARK: What is to be told

  /// What comes of a command. One to a countdown that has ended unnoticed comes after what happened
  /// before that end.
  func expect(_ command: CountdownOracle.Command, _ time: Int, _ participant: Participant) {
    while let deadline = participant.oracle.deadline, deadline <= now, noteReturn() || noteNext() {}
    let status = participant.oracle.status
    if command == .restart || command == .start && status == .idle {
      startCount += 1
      participant.order = startCount
      participant.run += 1
    } else if command == .cancel, status != .idle {
      participant.run += 1
    }
    expect(participant, participant.oracle.command(command, by: time, now))
  }

  func expect(_ participant: Participant, _ told: [Told], isTick: Bool = false) {
    for told in told {
      var run: Int?
      if isTick, case .state(.running, _) = told { run = participant.run }
      pending.append(
        News(participant: participant, told: told, followers: participant.followers, tickOfRun: run)
      )
    }
  }

  /// Tells what is pending, and has the followers do what they do in a tick or an end.
  func flush() {
    while !pending.isEmpty {
      let news = pending.removeFirst()
      for follower in news.followers {
        if let run = news.tickOfRun, run != news.participant.run { break }
        follower.expected.append(news.told)
        expectedLines.append("\(news.participant.name) \(news.told)")
        guard isPassing, isForActing(news.told) else { continue }
        guard let action = follower.expectedAction.take(), action.participant.countdown != nil
        else {
          continue
        }
        expect(action.command, action.time, action.participant)
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
    action.participant.countdown?.perform(action.command, action.time)
  }
}

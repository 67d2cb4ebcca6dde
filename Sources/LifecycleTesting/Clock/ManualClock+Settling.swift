import LifecycleCore

extension ManualClock {
  /// Advances all three clocks from instant to instant at which work is due. After each, the tasks
  /// that it made ready run until they wait again.
  @MainActor
  func advanceSettling(by duration: Duration) async {
    await settle(visitingPool: true)
    var rest = duration
    while let work = core.take({ $0.advance(by: &rest) }) {
      perform(work)
      advance(by: .zero)
      await settle(links: 20)
    }
  }

  /// Lets the tasks run that are ready on the main actor or were woken elsewhere, and what they
  /// make due.
  ///
  /// - Parameters:
  ///   - links: The number of tasks in a chain, each made ready by the one before.
  ///   - visitsPool: Whether a task may be on its way to its first sleep, on no actor.
  @MainActor
  func settle(links: Int = 100, visitingPool visitsPool: Bool = false) async {
    var callCount: Int
    repeat {
      await runReadyTasks(links, visitsPool)
      callCount = core.callCount
      advance(by: .zero)
    } while core.callCount != callCount
  }

  /// Lets the tasks run that are ready, and those that they make ready.
  ///
  /// The main actor runs jobs in the order in which they were queued, and so does any other actor
  /// those of one priority. A task that yields comes back behind all that were ready, so each round
  /// runs at least one more link of a chain. A task on the thread pool does not show when it waits
  /// or ends. Unless it sleeps on this clock again, it gets as many rounds, and at least a tenth of
  /// a second.
  @MainActor
  private func runReadyTasks(_ links: Int, _ visitsPool: Bool) async {
    let limit = ContinuousClock.now + .milliseconds(100)
    var (rounds, count) = (0, 0)
    while true {
      let awake = core.awake
      if awake.count != count { (rounds, count) = (0, awake.count) }
      var actors = Dictionary(awake.map { ($0.actor.map(ObjectIdentifier.init), $0.actor) }) { $1 }
      if rounds >= links {
        guard actors.keys.contains(nil), ContinuousClock.now < limit else { break }
        try? await Task.sleep(for: .milliseconds(1))
      }
      rounds += 1
      await Task.yield()
      if visitsPool { actors.updateValue(nil, forKey: nil) }
      for actor in actors.values { await actor.visit() }
    }
    core.forgetWoken()
  }
}

extension (any Actor)? {
  /// Continues when the jobs of the actor that were ready, or some of the pool if nil, have run.
  ///
  /// No task awaits another: that would raise its priority, and let it overtake.
  fileprivate func visit() async {
    await withCheckedContinuation { continuation in
      Task.detached(priority: .low) { await run(on: self) { continuation.resume() } }
    }
  }
}

private func run(on actor: isolated (any Actor)?, _ body: @Sendable () -> Void) {
  body()
}

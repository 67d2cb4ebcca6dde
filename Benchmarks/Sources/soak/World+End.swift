import LifecycleFlightRecording
import ReactiveLifecycle

extension World {
  /// Ends the buses, waits for all that waits for them, and checks what came last.
  func end() async throws {
    let endedEarly = endingBus.hasEnded
    // A bus that another one feeds ends with it.
    for observed in buses where !observed.isFed && observed.mainActorBus == nil {
      observed.bus.send(.willTerminate)
    }
    let outcome = await MainActor.run { mainBus.send(.willTerminate) }
    faults.check(.whereObserversRun, outcome == .delivered, "the end on the main actor: \(outcome)")
    let state = state.withLock { $0 }
    for subscriber in state.slowSubscribers { subscriber.request(nil) }
    for subscriber in state.slowPhases { subscriber.request(nil) }
    try await waitForEnd(state)
    // Before their scopes end, all streams finish.
    try await waitForRest()
    for scope in state.scopes { scope.end() }
    for task in state.tasks { await task.value }
    // A rest of a duty cycle may end on another thread.
    while host.openTasks > 0 { try await Task.sleep(for: .milliseconds(1)) }
    // A fetch may have sent an input.
    try await waitForRest()
    check(state, endedEarly: endedEarly)
    try files.checkEnd(of: recorders[0])
    scope.end()
    replacementScope.end()
    // Released outside of the lock.
    let rest = self.state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(rest) {}
  }

  /// Waits until the streams of all buses have finished: the thread of a timer, or the main actor,
  /// may still be delivering.
  private func waitForEnd(_ state: State) async throws {
    for observed in buses {
      // That of the suppressed inputs remains.
      while !observed.hasEnded || observed.bus.liveSubscriptions.count > 1 {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    for bus in state.shortLived {
      while !bus.isFinished { try await Task.sleep(for: .milliseconds(1)) }
    }
    if faults.makes(.wait) { try await Task.sleep(for: .seconds(3_600)) }
  }

  private func waitForRest() async throws {
    for observed in buses { try await observed.inputs.waitForRest(of: observed.bus) }
  }

  private func check(_ state: State, endedEarly: Bool) {
    for (observed, recorder) in zip(buses, recorders) { check(recorder.recording, of: observed) }
    for check in state.checks { check.checkEnd() }
    for check in state.operatorChecks { check.checkEnd() }
    for check in state.stayChecks { check.checkEnd() }
    for check in state.scopeChecks { check.checkEnd() }
    for bus in state.shortLived { bus.checkEnd() }
    for observed in buses { observed.inputs.checkEnd(of: observed.bus, isFed: observed.isFed) }
    checkLastPhases(state.slowPhases)
    for index in buses.indices where !endedEarly || buses[index] !== endingBus {
      replacements[index].scope.checkEnd()
      replacements[index].owner.checkEnd()
    }
  }

  private func checkLastPhases(_ subscribers: [SlowSubscriber<LifecyclePhase>]) {
    for subscriber in subscribers {
      let last = subscriber.last
      faults.check(
        .backPressure,
        subscriber.isFinished && last == .terminated,
        "the last phase that was requested is \(last as Any)"
      )
    }
  }

  /// A description of the things that an epoch waits for if it does not end.
  var whatIsOpen: String {
    let buses = buses.map { "\($0.bus.phase) with \($0.bus.liveSubscriptions)" }
    return """
      \(openTasks.value) tasks and \(host.openTasks) background tasks are open; the buses are \
      \(buses.joined(separator: ", ")).
      """
  }

  /// Checks that the recorded events have no gap, and end with what the observers received last.
  private func check(_ recording: FlightRecording, of observed: ObservedBus) {
    var last: LifecycleEvent?
    for case .event(let event) in recording.records.map(\.content) {
      if let last {
        faults.check(
          .features,
          event.sequenceNumber == last.sequenceNumber + 1,
          "recorded event \(event.sequenceNumber) after \(last.sequenceNumber)"
        )
      }
      last = event
    }
    guard let last else {
      // A recorder of a bus that has ended records tasks and notes, which can displace the events.
      return faults.check(
        .features,
        recording.records.count == Self.recorderCapacity,
        "no event among \(recording.records.count) records"
      )
    }
    faults.check(
      .features,
      last.kind == .willTerminate && last.sequenceNumber == observed.delivery.latestNumber,
      "the last recorded event is \(last), not number \(observed.delivery.latestNumber)"
    )
  }
}

import DequeModule

/// What the bus accepts: inputs, sources, calls, and its release.
extension DispatchMachine {
  /// Accepts an input, and takes the right to deliver if the caller may have it.
  ///
  /// - Parameter isHere: Whether the caller is where the bus delivers.
  mutating func accept(_ input: PhaseMachine.Input, isHere: Bool) -> Acceptance {
    let isIdle = isHere && !isDelivering && !isWaiting
    let (reason, first) = accept(input, queuesFirst: !isIdle)
    guard isHere else {
      return Acceptance(reason: reason, delivers: false, needsHop: needsHop())
    }
    guard let first else { return Acceptance(reason: reason, delivers: startDelivering()) }
    isDelivering = true
    let recipients = recordDelivery(first.kind, first.phase, first.sequenceNumber, input.instant)
    return Acceptance(
      delivers: true,
      immediate: ImmediateDelivery(move: first, recipients: recipients)
    )
  }

  /// Accepts an input whose events have to wait.
  ///
  /// - Returns: The reason why the input causes none.
  mutating func accept(_ input: PhaseMachine.Input) -> SuppressedInput.Reason? {
    accept(input, queuesFirst: true).reason
  }

  /// Accepts an input, and queues the moves it causes; the first one only if `queuesFirst` is true.
  @inline(__always)
  private mutating func accept(
    _ input: PhaseMachine.Input,
    queuesFirst: Bool
  ) -> (reason: SuppressedInput.Reason?, first: PhaseMachine.Move?) {
    guard !acceptsSpecially else { return acceptSpecially(input, queuesFirst: queuesFirst) }
    var first: PhaseMachine.Move?
    let reason = phaseMachine.accept(input.kind, from: input.source, at: input.instant) { move in
      if first == nil && !queuesFirst {
        first = move
      } else {
        later.append(move)
      }
    }
    queueLater(input, reason, isIdle: !queuesFirst)
    return (reason, first)
  }

  @inline(never)
  private mutating func acceptSpecially(
    _ input: PhaseMachine.Input,
    queuesFirst: Bool
  ) -> (reason: SuppressedInput.Reason?, first: PhaseMachine.Move?) {
    guard !isReleased else {
      let reason: SuppressedInput.Reason =
        phaseMachine.isConnected(input.source) ? .terminated : .disconnected
      taps.note(input, reason)
      suppress(input, reason)
      return (reason, nil)
    }
    let wasTerminated = hasAcceptedTermination
    var first: PhaseMachine.Move?
    let reason = phaseMachine.accept(input.kind, from: input.source, at: input.instant) { move in
      if first == nil { first = move } else { later.append(move) }
    }
    taps.note(input, reason)
    if let first { taps.note(first, by: input) }
    for move in later { taps.note(move, by: input) }
    if !wasTerminated, hasAcceptedTermination { taps.note(FlightRecord(.ended, at: input.instant)) }
    if queuesFirst, let move = first.take() { work.append(.event(LifecycleEvent(input, move))) }
    queueLater(input, reason, isIdle: !queuesFirst)
    return (reason, first)
  }

  /// Queues the events of the moves in `later`, or the suppression of an input that causes none.
  @inline(__always)
  private mutating func queueLater(
    _ input: PhaseMachine.Input,
    _ reason: SuppressedInput.Reason?,
    isIdle: Bool
  ) {
    if !later.isEmpty {
      for move in later { work.append(.event(LifecycleEvent(input, move))) }
      later.removeAll(keepingCapacity: true)
    }
    if let reason {
      // On an idle bus, no observer can join before the input would be published.
      suppress(input, reason, isPublished: !isIdle || !suppressionObservers.rows.isEmpty)
    }
  }

  /// A Boolean value that indicates whether `willTerminate` was accepted, and may not have been
  /// delivered yet.
  var hasAcceptedTermination: Bool { phaseMachine.phase == .terminated }

  // MARK: Sources

  mutating func connect(
    _ registration: PhaseAggregate.Registration,
    at instant: LifecycleInstant
  ) -> Int {
    let source = phaseMachine.connect(registration)
    if !taps.isEmpty {
      taps.noteConnection(of: source, registration, in: phaseMachine.aggregate, at: instant)
    }
    return source
  }

  func hasSource(as role: LifecycleRole) -> Bool {
    phaseMachine.aggregate.hasSource(as: role)
  }

  /// Withdraws what the source reported, which may change the phase of the bus.
  mutating func disconnect(_ source: Int, at instant: LifecycleInstant) {
    if !taps.isEmpty { taps.noteDisconnection(of: source, in: phaseMachine.aggregate, at: instant) }
    phaseMachine.disconnect(source, at: instant) { move in
      guard !isReleased else { return }
      let event = LifecycleEvent(move, at: instant, origin: .synthesized)
      taps.note(FlightRecord(.event(event), at: instant))
      work.append(.event(event))
    }
  }

  mutating func suppress(
    _ input: PhaseMachine.Input,
    _ reason: SuppressedInput.Reason,
    isPublished: Bool = true
  ) {
    suppressedCounts[reason, default: 0] += 1
    guard isPublished else { return }
    work.append(
      .suppressed(
        SuppressedInput(
          kind: input.kind,
          reason: reason,
          origin: input.origin,
          instant: input.instant
        )
      )
    )
  }

  func suppressedCount(_ reason: SuppressedInput.Reason) -> Int {
    suppressedCounts[reason, default: 0]
  }

  /// Queues a call of `body` after everything accepted so far. If a row is given, the call happens
  /// in its turn, and only if the row is live then.
  mutating func addCall(
    _ body: @escaping @Sendable () -> Void,
    inTurnOf row: ObserverRow? = nil
  ) {
    work.append(.call(body, inTurnOf: row))
  }

  /// Ends the bus because it was released, or its parent has ended. Everything accepted is
  /// still delivered.
  mutating func release(at instant: LifecycleInstant) {
    guard !isReleased else { return }
    isReleased = true
    updateSpecialWays()
    if !hasAcceptedTermination { taps.note(FlightRecord(.ended, at: instant)) }
    work.append(.release)
  }
}

/// A state machine that turns inputs into events, without a clock, observers, or a lock.
struct PhaseMachine {
  /// A report of a source, or of the program itself.
  struct Input {
    var kind: LifecycleEvent.Kind
    var origin: LifecycleEvent.Origin
    /// The number of the source that reported it.
    var source = PhaseAggregate.ownSource
    var instant: LifecycleInstant
    var metadata: [String: String] = [:]
  }

  /// An event that an input becomes, without what the input itself contains.
  struct Move {
    let kind: LifecycleEvent.Kind
    let previousPhase: LifecyclePhase
    let phase: LifecyclePhase
    let sequenceNumber: Int
    let backgroundStay: BackgroundStay?
  }

  /// The phase after all inputs that were accepted so far.
  private(set) var phase = LifecyclePhase.unknown
  private var sequenceNumber = 0
  private var enteredBackground: LifecycleInstant?

  private(set) var aggregate = PhaseAggregate()

  mutating func connect(_ registration: PhaseAggregate.Registration) -> Int {
    aggregate.connect(registration)
  }

  /// Disconnects a source, and passes the moves that the bus makes as a result to `emit`.
  mutating func disconnect(
    _ source: Int,
    at instant: LifecycleInstant,
    emit: (Move) -> Void
  ) {
    aggregate.disconnect(source)
    guard phase != .terminated, let target = aggregate.phase else { return }
    move(to: target, at: instant, emit: emit)
  }

  func isConnected(_ source: Int) -> Bool {
    aggregate.isConnected(source)
  }

  /// Passes the moves that an input becomes to `emit`: skipped steps first, the input's own move
  /// last.
  ///
  /// - Returns: The reason why there are no moves; nil if there are.
  @inline(__always)
  mutating func accept(
    _ kind: LifecycleEvent.Kind,
    from source: Int,
    at instant: LifecycleInstant,
    emit: (Move) -> Void
  ) -> SuppressedInput.Reason? {
    guard aggregate.isConnected(source) else { return .disconnected }
    let reason =
      phase == .terminated
      ? .terminated : carryOut(kind, from: source, at: instant, emit: emit)
    aggregate.note(.init(kind: kind, instant: instant, suppressed: reason), from: source)
    return reason
  }

  @inline(__always)
  private mutating func carryOut(
    _ kind: LifecycleEvent.Kind,
    from source: Int,
    at instant: LifecycleInstant,
    emit: (Move) -> Void
  ) -> SuppressedInput.Reason? {
    guard let transition = kind.transition else {
      emit(move(kind, to: phase, stay: nil))
      return nil
    }
    if let reason = aggregate.accept(transition, from: source) { return reason }
    guard let target = aggregate.phase, target != phase else { return .masked }
    if phase == .unknown && !transition.isUpward && target != .terminated
      && !aggregate.isCeiling(source)
    {
      // The upward steps that must have happened. A ceiling is no evidence of them.
      move(to: transition.origin, at: instant, emit: emit)
    }
    move(to: target, at: instant, emit: emit)
    return nil
  }

  /// Moves along the steps that lead to a phase.
  private mutating func move(
    to target: LifecyclePhase,
    at instant: LifecycleInstant,
    emit: (Move) -> Void
  ) {
    if phase == .unknown && target == .terminated {
      emit(move(.willTerminate, to: .terminated, stay: nil))
    } else if target > phase {
      for step in Transition.upward where step.origin >= phase && step.target <= target {
        move(along: step, at: instant, emit: emit)
      }
    } else {
      for step in Transition.downward where step.origin <= phase && step.target >= target {
        move(along: step, at: instant, emit: emit)
      }
    }
  }

  private mutating func move(
    along step: Transition,
    at instant: LifecycleInstant,
    emit: (Move) -> Void
  ) {
    var stay: BackgroundStay?
    switch step.kind {
    case .didEnterBackground:
      enteredBackground = instant
    case .willEnterForeground:
      stay = enteredBackground.map { BackgroundStay(from: $0, to: instant) }
      enteredBackground = nil
    default:
      break
    }
    emit(move(step.kind, to: step.target, stay: stay))
  }

  private mutating func move(
    _ kind: LifecycleEvent.Kind,
    to target: LifecyclePhase,
    stay: BackgroundStay?
  ) -> Move {
    let previousPhase = phase
    phase = target
    sequenceNumber += 1
    return Move(
      kind: kind,
      previousPhase: previousPhase,
      phase: target,
      sequenceNumber: sequenceNumber,
      backgroundStay: stay
    )
  }
}

extension LifecycleEvent {
  /// Creates the event of a move that an input caused.
  ///
  /// Steps that the input skipped are marked `.synthesized`, and have the instant of the input.
  init(_ input: PhaseMachine.Input, _ move: PhaseMachine.Move) {
    let isOwn = move.kind == input.kind
    self.init(
      move,
      at: input.instant,
      origin: isOwn ? input.origin : .synthesized,
      metadata: isOwn ? input.metadata : [:]
    )
  }

  init(
    _ move: PhaseMachine.Move,
    at instant: LifecycleInstant,
    origin: Origin,
    metadata: [String: String] = [:]
  ) {
    self.init(
      kind: move.kind,
      previousPhase: move.previousPhase,
      phase: move.phase,
      sequenceNumber: move.sequenceNumber,
      instant: instant,
      origin: origin,
      backgroundStay: move.backgroundStay,
      metadata: metadata
    )
  }
}

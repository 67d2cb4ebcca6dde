/// Decides which events an input becomes. It knows no clock, no observer and no lock.
struct PhaseMachine {
  /// What somebody reported.
  struct Input {
    var kind: LifecycleEvent.Kind
    var origin: LifecycleEvent.Origin
    var instant: LifecycleInstant
    var userInfo: [String: String] = [:]
  }

  /// One event that an input becomes, as far as the input does not say it.
  struct Move {
    let kind: LifecycleEvent.Kind
    let previousPhase: LifecyclePhase
    let phase: LifecyclePhase
    let sequenceNumber: Int
    let backgroundStay: BackgroundStay?
  }

  /// The phase after everything accepted so far.
  private(set) var phase = LifecyclePhase.unknown
  private var sequenceNumber = 0
  private var enteredBackground: LifecycleInstant?

  /// Hands the moves that the input becomes to `emit`, the input's own one last, or says why there
  /// are none. Skipped steps come first.
  mutating func accept(_ input: Input, emit: (Move) -> Void) -> SuppressedInput.Reason? {
    guard phase != .terminated else { return .terminated }
    guard let transition = input.kind.transition else {
      emit(move(input.kind, to: phase, stay: nil))
      return nil
    }
    if transition.isUpward {
      guard phase < transition.target else { return .duplicate }
      climb(to: transition.target, input, emit: emit)
    } else if phase == .unknown {
      climb(to: transition.target == .terminated ? .unknown : transition.origin, input, emit: emit)
      move(along: transition, input, emit: emit)
    } else {
      guard phase > transition.target else { return .duplicate }
      for step in Transition.downward where step.origin <= phase && step.target >= transition.target
      {
        move(along: step, input, emit: emit)
      }
    }
    return nil
  }

  private mutating func climb(
    to target: LifecyclePhase,
    _ input: Input,
    emit: (Move) -> Void
  ) {
    for step in Transition.upward where step.origin >= phase && step.target <= target {
      move(along: step, input, emit: emit)
    }
  }

  private mutating func move(
    along step: Transition,
    _ input: Input,
    emit: (Move) -> Void
  ) {
    var stay: BackgroundStay?
    switch step.kind {
    case .didEnterBackground:
      enteredBackground = input.instant
    case .willEnterForeground:
      stay = enteredBackground.map { BackgroundStay(from: $0, to: input.instant) }
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
  /// The event of a move. Steps that the input skipped are marked `.synthesized`, at its instant.
  init(_ input: PhaseMachine.Input, _ move: PhaseMachine.Move) {
    self.init(
      kind: move.kind,
      previousPhase: move.previousPhase,
      phase: move.phase,
      sequenceNumber: move.sequenceNumber,
      instant: input.instant,
      origin: move.kind == input.kind ? input.origin : .synthesized,
      backgroundStay: move.backgroundStay,
      userInfo: move.kind == input.kind ? input.userInfo : [:]
    )
  }
}

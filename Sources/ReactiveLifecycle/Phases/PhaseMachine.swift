/// Decides which events an input becomes. It knows no clock, no observer and no lock.
struct PhaseMachine {
  /// What somebody reported.
  struct Input {
    var kind: LifecycleEvent.Kind
    var origin: LifecycleEvent.Origin
    var instant: LifecycleInstant
    var userInfo: [String: String] = [:]
  }

  /// The phase after everything accepted so far.
  private(set) var phase = LifecyclePhase.unknown
  private var sequenceNumber = 0
  private var enteredBackground: LifecycleInstant?

  /// Hands the events that the input becomes to `emit`, the input's own one last, or says why there
  /// are none. Skipped steps come first, marked `.synthesized`, at the input's instant.
  mutating func accept(_ input: Input, emit: (LifecycleEvent) -> Void) -> SuppressedInput.Reason? {
    guard phase != .terminated else { return .terminated }
    guard let transition = input.kind.transition else {
      emit(event(input, kind: input.kind, to: phase, stay: nil))
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
    emit: (LifecycleEvent) -> Void
  ) {
    for step in Transition.upward where step.origin >= phase && step.target <= target {
      move(along: step, input, emit: emit)
    }
  }

  private mutating func move(
    along step: Transition,
    _ input: Input,
    emit: (LifecycleEvent) -> Void
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
    emit(event(input, kind: step.kind, to: step.target, stay: stay))
  }

  private mutating func event(
    _ input: Input,
    kind: LifecycleEvent.Kind,
    to target: LifecyclePhase,
    stay: BackgroundStay?
  ) -> LifecycleEvent {
    let previousPhase = phase
    phase = target
    sequenceNumber += 1
    return LifecycleEvent(
      kind: kind,
      previousPhase: previousPhase,
      phase: target,
      sequenceNumber: sequenceNumber,
      instant: input.instant,
      origin: kind == input.kind ? input.origin : .synthesized,
      backgroundStay: stay,
      userInfo: kind == input.kind ? input.userInfo : [:]
    )
  }
}

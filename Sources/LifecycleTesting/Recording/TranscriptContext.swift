import ReactiveLifecycle

/// Where recorders read the time and the phase, and how they write values.
struct TranscriptContext: Sendable {
  let style: LifecycleTranscript.Style
  /// The time since the beginning.
  let elapsed: @Sendable () -> Duration
  let phase: @Sendable () -> LifecyclePhase
}

extension TranscriptContext {
  /// The time since now by the clock of a bus, and its phase, as long as it is there.
  init(_ bus: some LifecycleBusProtocol, _ style: LifecycleTranscript.Style) {
    let clock = bus.core.clock
    let start = clock.continuous
    self.init(
      style: style,
      elapsed: { clock.continuous - start },
      phase: { [weak bus] in bus?.phase ?? .terminated }
    )
  }
}

import ReactiveLifecycle

/// The source of the time and the phase of recorded values, and the style in which they are
/// written.
struct TranscriptContext: Sendable {
  let style: LifecycleTranscript.Style
  /// The time since the beginning.
  let elapsed: @Sendable () -> Duration
  let phase: @Sendable () -> LifecyclePhase
}

extension TranscriptContext {
  /// Creates a context with the time from now on by the clock of a bus, and its phase as long as
  /// the bus exists.
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

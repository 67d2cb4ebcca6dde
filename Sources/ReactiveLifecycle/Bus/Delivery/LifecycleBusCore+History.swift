/// The bus's history of phases. Thread-safe.
///
/// The clock is read before the lock is taken, so a query never covers a phase that begins in
/// between.
extension LifecycleBusCore {
  package var historyStart: ContinuousInstant? {
    read { $0.history.start }
  }

  func phase(at instant: ContinuousInstant) -> LifecyclePhase? {
    let now = clock.continuous
    return read { $0.history.phase(at: instant, now: now) }
  }

  func duration(
    of part: PhaseHistory.Part,
    during range: Range<ContinuousInstant>
  ) -> Duration? {
    let now = clock.continuous
    return read { $0.history.duration(of: part, during: range, now: now) }
  }
}

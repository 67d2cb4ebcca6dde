import LifecycleCombine

extension LifecyclePublisher where Output == LifecyclePhase {
  /// Debounces the phases: suppresses interruptions in the foreground that are shorter than a
  /// duration.
  ///
  /// Use it for work that is expensive to stop and to restart.
  ///
  /// Leaving the furthest phase that the process has reached, usually `active`, is published when
  /// it has lasted for the duration, or when the process enters the background, where it may be
  /// suspended. If the process returns before that, nothing is published. All other changes are
  /// published at once. The first value is the phase at the time of subscribing. With two seconds:
  ///
  /// ```text
  /// seconds    0         1         2         3         4         5         6
  /// phases     active    inactive  active    inactive                      background
  /// settled    active                                            inactive  background
  /// ```
  ///
  /// ```swift
  /// bus.phases.settle(for: .seconds(2))
  ///   .map { phase in phase == .active }
  ///   .removeDuplicates()
  ///   .sink { isActive in setConnected(isActive) }
  ///   .store(in: scope)
  /// ```
  ///
  /// Time is measured between the instants of the events, on the continuous clock of the bus. If
  /// the process was stopped, or the device asleep, when a way down was due, it is published later,
  /// and at the latest before the way up that ends it. Each published phase is one step from the
  /// previous one. When the bus is released, only what is due is published.
  ///
  /// The values arrive where the bus delivers, in its one order: a ``LifecycleBus`` delivers them
  /// on the main actor; a ``NonisolatedLifecycleBus`` delivers what has become due on a thread of
  /// its ``LifecycleClock``. A subscriber with little demand receives the latest, unless it is the
  /// one that it received last.
  ///
  /// Applied to settled phases, the durations add up: `settle(for: .seconds(2))` twice is
  /// `settle(for: .seconds(4))`.
  ///
  /// - Parameter duration: The time for which an interruption lasts before it is published. With
  ///   zero or less, everything is published at once.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter line: The line of the call site.
  /// - Returns: The settled phases. Only streams of phases can be settled.
  public func settle(
    for duration: Duration,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> LifecyclePublisher<LifecyclePhase> {
    LifecyclePublisher(
      core: core,
      stream: stream.settled(for: duration),
      site: CallSite(fileID: fileID, line: line)
    )
  }
}

extension EventStream<LifecyclePhase> {
  /// Returns a stream of the phases that last for the duration, and for that of the stream itself.
  ///
  /// The streams of phases are `phases` and this one, so nothing of the stream itself is lost.
  fileprivate func settled(for duration: Duration) -> Self {
    let settling = (settling + max(duration, .zero).clamped).clamped
    return EventStream(kinds: kinds, settling: settling, isSame: isSame) {
      SettleRow($0, $1, $2, $3, settling: settling)
    }
  }
}

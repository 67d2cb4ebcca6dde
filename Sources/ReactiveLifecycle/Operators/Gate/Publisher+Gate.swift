public import LifecycleCombine

extension Publisher {
  /// Lets values pass while the phase of a bus meets a condition.
  ///
  /// ```swift
  /// prices.gate(.atLeast(.active), of: bus, buffering: .latest)
  ///   .sink { price in show(price) }
  ///   .store(in: scope)
  /// ```
  ///
  /// ```text
  /// phase      active ───────▶ inactive ─────────▶ active ────────────▶
  /// upstream   ──1─────2───────────3───────4─────────────────5─────|
  /// .drop      ──1─────2─────────────────────────────────────5─────|
  /// .latest    ──1─────2───────────────────────────4─────────5─────|
  /// .all       ──1─────2───────────────────────────[34]──────5─────|
  /// ```
  ///
  /// If the phase meets the condition at the time of subscribing, the gate is open from the start.
  /// With `.atMost(.background)`, for example, values also pass before the launch:
  ///
  /// ```swift
  /// uploads.gate(
  ///   .atMost(.background),
  ///   of: bus,
  ///   buffering: .all(limit: 100, whenFull: .dropOldest)
  /// )
  /// .sink { upload in start(upload) }
  /// .store(in: scope)
  /// ```
  ///
  /// Once the gate has had its turn of the event that closes it, no further value is delivered. A
  /// value that waits behind a call of downstream is treated like a value that arrives after that
  /// call. For a value that another observer sends during the delivery of an event, the phase of
  /// that event decides.
  ///
  /// - **Where:** values that pass arrive on upstream's thread. Kept values arrive where the bus
  ///   delivers, in order, and before anything newer. Downstream is called once at a time: the
  ///   thread that is calling it delivers a value that arrives meanwhile.
  /// - **Demand:** a value that is dropped or replaced is requested again, so that downstream
  ///   receives as many values as it has requested, never more. Kept values are among those that
  ///   downstream has requested: `.latest` is the latest of them.
  /// - **Completion:** kept values come first, when the gate opens again, and then the completion,
  ///   with or without failure. If nothing is kept, it passes at once, even through a closed gate.
  /// - **The end of the bus:** upstream is cancelled, kept values are dropped, and the publisher
  ///   finishes, open or closed, after a call of downstream that is under way; a completion that
  ///   waits for kept values is passed on instead. On a bus that has ended it finishes without
  ///   subscribing to upstream, at once where the bus delivers.
  /// - **Cancellation:** on any thread; upstream is cancelled at once, and once. The bus is not
  ///   kept alive.
  /// - Complexity: O(1) a value, no matter how many are kept; O(*n*) to drop *n* values.
  ///
  /// - Parameters:
  ///   - condition: The phases in which values pass. A condition that every phase meets never
  ///     closes the gate and is reported at the caller's line.
  ///   - bus: The bus whose phase counts.
  ///   - buffering: The values that a closed gate keeps.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public func gate(
    _ condition: LifecyclePhase.Condition,
    of bus: some LifecycleBusProtocol,
    buffering: Publishers.LifecycleGateBuffering,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecycleOperator<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    condition.reportIfAlwaysMet("The gate never closes", site)
    if case .all(let limit, _) = buffering.policy, limit < 1 {
      site.report(
        """
        A gate with a limit of \(limit) keeps nothing. Choose a limit of at least 1, or pass \
        buffering: .drop.
        """
      )
    }
    return Publishers.LifecycleOperator(
      GateMachine(condition, buffering: buffering),
      upstream: self,
      of: bus.core,
      site: site
    )
  }
}

public import LifecycleCombine

extension Publisher {
  /// Lets values pass while the phase of a bus meets a condition.
  ///
  /// ```swift
  /// prices.gate(.foreground, of: bus, buffering: .latest)
  ///   .sink { price in show(price) }
  ///   .store(in: scope)
  /// ```
  ///
  /// If the phase meets the condition at the time of subscribing, the gate is open from the start.
  /// With `.background`, values pass while the process has launched and is not visible:
  ///
  /// ```swift
  /// uploads.gate(
  ///   .background,
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
  public func gate(
    _ condition: LifecyclePhase.Condition,
    of bus: some LifecycleBusProtocol,
    buffering: LifecycleGateBuffering,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleOperator<Self> {
    let site = CallSite(fileID, filePath, line, column)
    condition.reportIfAlwaysMet("The gate never closes", site)
    if case .all(let limit, _) = buffering, limit < 1 {
      site.report(
        """
        A gate with a limit of \(limit) keeps nothing. Choose a limit of at least 1, or pass \
        buffering: .drop.
        """
      )
    }
    return LifecycleOperator(
      GateMachine(condition, buffering: buffering),
      upstream: self,
      of: bus.core,
      site: site
    )
  }
}

/// The values that a closed gate keeps: see `gate(_:of:buffering:)`.
@nonexhaustive
public enum LifecycleGateBuffering: Sendable, Hashable {
  /// The value to drop when the limit of kept values is reached.
  @nonexhaustive
  public enum WhenFull: Sendable, Hashable {
    /// Drops the oldest of the kept values.
    case dropOldest
    /// Drops the new value.
    case dropNewest
  }

  /// Drops all values.
  case drop
  /// Keeps the latest value, which replaces the one before it.
  case latest
  /// Keeps as many values as the limit, in order.
  ///
  /// A limit below 1 keeps nothing, and the gate reports it at the caller's line.
  case all(limit: Int, whenFull: WhenFull)

  /// Returns the positions of the waiting values, oldest first, that a closed gate does not keep.
  func excess(of count: Int) -> Range<Int> {
    switch self {
    case .drop: 0..<count
    case .latest: 0..<max(count - 1, 0)
    case .all(let limit, .dropOldest): 0..<max(count - max(limit, 0), 0)
    case .all(let limit, .dropNewest): min(max(limit, 0), count)..<count
    }
  }
}

/// A state machine that decides which values pass a gate, and which are kept or dropped.
struct GateMachine: OperatorMachine {
  static var readsStateOfBus: Bool { true }

  var upstream = UpstreamState()
  var downstream = DownstreamState()
  private let condition: LifecyclePhase.Condition
  private let buffering: LifecycleGateBuffering
  /// The newest known state of the bus, from the gate's own turn or read with a value.
  private var known = DeliveredState()
  /// A Boolean value that indicates whether kept values wait for the gate's turn, because a value
  /// has shown earlier that the gate is open.
  private var awaitsTurn = false

  init(_ condition: LifecyclePhase.Condition, buffering: LifecycleGateBuffering) {
    self.condition = condition
    self.buffering = buffering
  }

  private var isOpen: Bool { condition.contains(known.phase) }

  var canDeliver: Bool { isOpen && !awaitsTurn }

  mutating func start() -> OperatorStep {
    downstream.isFinished ? OperatorStep() : OperatorStep(upstream: .subscribe(upstream.open()))
  }

  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep {
    update(to: delivered)
    awaitsTurn = false
    return flush()
  }

  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep? {
    guard upstream.receiveValue(from: number) else { return nil }
    if let delivered { update(to: delivered) }
    downstream.append()
    return flush()
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: false) }

  private mutating func update(to delivered: DeliveredState) {
    guard delivered.sequenceNumber >= known.sequenceNumber else { return }
    let wasOpen = isOpen
    known = delivered
    if wasOpen != isOpen { awaitsTurn = isOpen && downstream.waitingCount > 0 }
  }

  /// Drops the values that a closed gate does not keep, and requests as many again; delivers values
  /// that may pass.
  private mutating func flush() -> OperatorStep {
    var step = OperatorStep()
    if !isOpen {
      step.dropped = downstream.remove(buffering.excess(of: downstream.waitingCount))
      step.demand = upstream.request(.max(step.dropped.count))
    }
    step.call = downstream.firstCall(isOpen: canDeliver)
    return step
  }
}

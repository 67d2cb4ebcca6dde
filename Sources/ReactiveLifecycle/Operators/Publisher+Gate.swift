public import LifecycleCombine

extension Publisher {
  /// Lets values pass while the process is at least in a phase.
  ///
  /// ```swift
  /// prices.gate(atLeast: .active, on: bus, holding: .latest)
  ///   .sink { price in show(price) }
  ///   .store(in: scope)
  /// ```
  ///
  /// ```text
  /// phase      active ───────▶ inactive ─────────▶ active ────────────▶
  /// upstream   ──1─────2───────────3───────4─────────────────5─────|
  /// .none      ──1─────2─────────────────────────────────────5─────|
  /// .latest    ──1─────2───────────────────────────4─────────5─────|
  /// .all       ──1─────2───────────────────────────34────────5─────|
  /// ```
  ///
  /// Once the publisher has been told that the phase was left, no value begins to be handed out; one
  /// that waits behind another that is just being handed out is treated as one that comes now. A value
  /// that another observer sends in the delivery of an event passes or not by the phase of that event.
  ///
  /// - **Where:** values that pass arrive on upstream's thread; what was held arrives where the bus
  ///   delivers, in order, and before anything newer. Downstream is called once at a time: a value
  ///   that comes meanwhile is handed out by the thread that is handing out.
  /// - **Demand:** a value that is dropped or replaced is asked for again, so that downstream gets as
  ///   many as it has asked for, never more. What is held are values that downstream has asked for:
  ///   `.latest` is the latest of those.
  /// - **Completion:** what is held comes first, if the gate opens again, and then the completion,
  ///   be it a failure or not. With nothing held, it passes at once, also through a closed gate.
  /// - **The end of the bus:** upstream is cancelled, what is held is dropped, and the publisher
  ///   finishes, open or closed, after the value that is just being handed out; a completion that waits
  ///   for what is held is passed on instead. On a bus that has ended it finishes without subscribing to
  ///   upstream, at once where the bus delivers.
  /// - **Cancellation:** any thread; at once and once. The bus is not kept alive.
  /// - **Complexity:** O(1) a value, and in the memory of what is held; O(*n*) to drop *n* values.
  ///
  /// - Parameters:
  ///   - phase: The first phase, on the way forward, in which values pass. `terminated` and `unknown`
  ///     never close the gate and are reported at the caller's line.
  ///   - bus: Whose phase counts.
  ///   - holding: What a closed gate does with values.
  public func gate(
    atLeast phase: LifecyclePhase,
    on bus: some LifecycleBusProtocol,
    holding: LifecycleGateHolding,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecycleGate<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return Publishers.LifecycleGate(self, .atLeast(phase), holding, bus.core.core, site)
  }

  /// Lets values pass while the process is at most in a phase, such as out of sight.
  ///
  /// ```swift
  /// uploads.gate(atMost: .background, on: bus, holding: .all(limit: 100, whenFull: .dropOldest))
  ///   .sink { upload in start(upload) }
  ///   .store(in: scope)
  /// ```
  ///
  /// In all else it is as `gate(atLeast:on:holding:)`. `terminated` and `unknown` come before
  /// `background`: values pass before the launch, too.
  ///
  /// - Parameters:
  ///   - phase: The last phase, on the way forward, in which values pass. `active` never closes
  ///     the gate and is reported at the caller's line.
  ///   - bus: Whose phase counts.
  ///   - holding: What a closed gate does with values.
  public func gate(
    atMost phase: LifecyclePhase,
    on bus: some LifecycleBusProtocol,
    holding: LifecycleGateHolding,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecycleGate<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return Publishers.LifecycleGate(self, .atMost(phase), holding, bus.core.core, site)
  }
}

extension Publishers {
  /// What `gate` makes of a publisher.
  public struct LifecycleGate<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let upstream: Upstream
    private let condition: PhaseCondition
    private let holding: LifecycleGateHolding
    private let core: BusCore
    private let site: CallSite

    init(
      _ upstream: Upstream,
      _ condition: PhaseCondition,
      _ holding: LifecycleGateHolding,
      _ core: BusCore,
      _ site: CallSite
    ) {
      self.upstream = upstream
      self.condition = condition
      self.holding = holding
      self.core = core
      self.site = site
      condition.reportIfAlwaysMet("The gate never closes", site)
      guard case .all(let limit, _) = holding, limit < 1 else { return }
      site.report(
        """
        A gate with a limit of \(limit) holds nothing. Choose a limit of at least 1, or say \
        holding: .none.
        """
      )
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorConduit.start(
        GateMachine(condition, holding),
        from: upstream,
        to: subscriber,
        hearing: .transitions,
        of: core,
        site
      )
    }
  }
}

extension Publishers.LifecycleGate: Sendable where Upstream: Sendable {}

public import LifecycleCombine

extension Publisher {
  /// Is subscribed to upstream while the process is at least in a phase.
  ///
  /// ```swift
  /// location.updates.subscribe(whileAtLeast: .active, on: bus)
  ///   .sink { place in show(place) }
  ///   .store(in: scope)
  /// ```
  ///
  /// ```text
  /// phase      inactive ──▶ active ────────▶ inactive ────▶ active ────────▶ terminated ▶
  /// upstream                S────1───2───────C              S────3───4───────C
  /// result     ──────────────────1───2───────────────────────────3───4───────|
  /// ```
  ///
  /// It subscribes (S) on reaching the phase, at once if the process is there already, and cancels (C)
  /// on leaving it. There is one upstream subscription at most: the earlier one has been cancelled before
  /// the next is made. Nothing of an earlier subscription begins to be handed out after that.
  ///
  /// - **Where:** subscribing and cancelling happen where the bus delivers, in the publisher's turn of
  ///   the event; values arrive on upstream's thread. Downstream is called once at a time: a value that
  ///   comes meanwhile is handed out by the thread that is handing out.
  /// - **Demand:** what downstream has asked for and not been given carries over to the next
  ///   subscription.
  /// - **Completion:** an upstream that finishes is subscribed to again on the next arrival; the
  ///   publisher goes on. A failure is passed on and ends it.
  /// - **The end of the bus:** upstream is cancelled and the publisher finishes, after the value that is
  ///   just being handed out. On a bus that has ended it finishes without subscribing to upstream, at once
  ///   where the bus delivers.
  /// - **Cancellation:** any thread; at once and once, upstream on that thread, too. Of a view model that
  ///   goes with its scope that is the thread that lets go of it last, the main thread or not. The bus is
  ///   not kept alive.
  /// - **Complexity:** O(1) a value and an event.
  ///
  /// - Parameters:
  ///   - phase: The first phase, on the way forward, to be subscribed in. The condition is always met for
  ///     `terminated` and `unknown`, which are reported at the caller's line.
  ///   - bus: Whose phase counts.
  public func subscribe(
    whileAtLeast phase: LifecyclePhase,
    on bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecycleSubscribeWhile<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return Publishers.LifecycleSubscribeWhile(self, .atLeast(phase), bus.core.core, site)
  }

  /// Is subscribed to upstream while the process is at most in a phase, such as out of sight.
  ///
  /// ```swift
  /// heartbeat.subscribe(whileAtMost: .background, on: bus)
  ///   .sink { beat in report(beat) }
  ///   .store(in: scope)
  /// ```
  ///
  /// In all else it is as `subscribe(whileAtLeast:on:)`. `terminated` and `unknown` come before
  /// `background`: it is subscribed before the launch, too, and until the bus ends.
  ///
  /// - Parameters:
  ///   - phase: The last phase, on the way forward, to be subscribed in. The condition is always met for
  ///     `active`, which is reported at the caller's line.
  ///   - bus: Whose phase counts.
  public func subscribe(
    whileAtMost phase: LifecyclePhase,
    on bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecycleSubscribeWhile<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return Publishers.LifecycleSubscribeWhile(self, .atMost(phase), bus.core.core, site)
  }
}

extension Publishers {
  /// What `subscribe(whileAtLeast:on:)` and `subscribe(whileAtMost:on:)` make of a publisher.
  public struct LifecycleSubscribeWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let upstream: Upstream
    private let condition: PhaseCondition
    private let core: BusCore
    private let site: CallSite

    init(_ upstream: Upstream, _ condition: PhaseCondition, _ core: BusCore, _ site: CallSite) {
      self.upstream = upstream
      self.condition = condition
      self.core = core
      self.site = site
      condition.reportIfAlwaysMet("Upstream stays subscribed until the bus ends", site)
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorConduit.start(
        SubscribeWhileMachine(condition),
        from: upstream,
        to: subscriber,
        hearing: .transitions,
        of: core,
        site
      )
    }
  }
}

extension Publishers.LifecycleSubscribeWhile: Sendable where Upstream: Sendable {}

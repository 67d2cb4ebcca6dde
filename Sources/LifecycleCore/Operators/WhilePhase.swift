public import LifecycleCombine

extension Publisher {
  /// Subscribes to upstream while the phase of a bus meets a condition.
  ///
  /// ```swift
  /// location.updates.whilePhase(.foreground, of: bus)
  ///   .sink { place in show(place) }
  ///   .store(in: scope)
  /// ```
  ///
  /// It subscribes when the phase begins to meet the condition and cancels when it no longer does.
  /// If the phase meets the condition already, it subscribes to upstream at once.
  /// There is at most one upstream subscription: the earlier one has been cancelled before the next
  /// is made, and no further value of it is delivered after that.
  ///
  /// With `.background`, it is subscribed while the process has launched and is not visible:
  ///
  /// ```swift
  /// heartbeat.whilePhase(.background, of: bus)
  ///   .sink { beat in report(beat) }
  ///   .store(in: scope)
  /// ```
  ///
  /// - **Where:** subscribing and cancelling happen where the bus delivers, in the publisher's turn
  ///   of the event; values arrive on upstream's thread. Downstream is called once at a time: the
  ///   thread that is calling it delivers a value that arrives meanwhile.
  /// - **Demand:** demand that was not met carries over to the next subscription.
  /// - **Completion:** an upstream that finishes is subscribed to again the next time that the
  ///   phase begins to meet the condition; the publisher continues. A failure is passed on and ends
  ///   it.
  /// - **The end of the bus:** upstream is cancelled and the publisher finishes, after a call of
  ///   downstream that is under way. On a bus that has ended it finishes without subscribing to
  ///   upstream, at once where the bus delivers.
  /// - **Cancellation:** on any thread; upstream is cancelled at once, and once, on that thread.
  ///   When a view model's scope is released, that is the thread that releases the last reference,
  ///   which need not be the main thread. The bus is not kept alive.
  /// - Complexity: O(1) a value and an event.
  ///
  /// - Parameters:
  ///   - condition: The phases in which to subscribe. A condition that every phase meets is
  ///     reported at the caller's line.
  ///   - bus: The bus whose phase counts.
  public func whilePhase(
    _ condition: LifecyclePhase.Condition,
    of bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleOperator<Self> {
    let site = CallSite(fileID, filePath, line, column)
    condition.reportIfAlwaysMet("Upstream stays subscribed until the bus ends", site)
    return LifecycleOperator(
      WhilePhaseMachine(condition),
      upstream: self,
      of: bus.core,
      site: site
    )
  }
}

/// A state machine that decides when to subscribe to upstream and when to cancel, and which of its
/// values count.
struct WhilePhaseMachine: OperatorMachine {
  static var resubscribes: Bool { true }

  var upstream = UpstreamState()
  var downstream = DownstreamState()
  private let condition: LifecyclePhase.Condition
  private var isMet = false

  init(_ condition: LifecyclePhase.Condition) {
    self.condition = condition
  }

  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep {
    let wasMet = isMet
    isMet = condition.contains(delivered.phase)
    guard isMet != wasMet, !downstream.isCompleting else { return OperatorStep() }
    return isMet ? OperatorStep(upstream: .subscribe(upstream.open())) : unsubscribe()
  }

  /// Cancels upstream. The next subscription owes the values that were not delivered.
  private mutating func unsubscribe() -> OperatorStep {
    var step = OperatorStep(
      upstream: upstream.close() ? .cancel : nil,
      dropped: downstream.removeAll()
    )
    step.demand = upstream.request(.max(step.dropped.count))
    return step
  }

  mutating func complete(
    _ completion: DownstreamState.Completion,
    from number: Int
  ) -> OperatorStep {
    guard upstream.complete(number) else { return OperatorStep() }
    guard completion == .failure else { return OperatorStep(upstream: .release) }
    downstream.complete(completion)
    return OperatorStep(leavesBus: true, upstream: .release, call: downstream.firstCall())
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: false) }
}

public import LifecycleCombine
public import LifecycleCore

/// The cycle that a publisher follows in the background: a burst of values, then a rest, and so on.
///
/// ```swift
/// let cycle = DutyCycle(burst: 10, rest: .seconds(20))
/// ```
public struct DutyCycle: Sendable, Hashable {
  /// The values of a burst that are delivered.
  public enum Delivery: Sendable, Hashable, CaseIterable {
    /// The last value, when the burst is complete or ends early.
    case last
    /// Every value, when it arrives.
    case all
  }

  /// The number of values in a burst; at least 1.
  public let burst: Int
  /// The longest duration of a burst, from its first value; never negative.
  public let burstDuration: Duration
  /// The values of a burst that are delivered.
  public let delivery: Delivery
  /// The duration of the rest after each burst, during which upstream is not subscribed; never
  /// negative.
  public let rest: Duration

  /// Creates a cycle of bursts and rests.
  ///
  /// - Parameters:
  ///   - burst: The number of values in a burst. A number less than 1 is reported at the caller's
  ///     line, and counts as 1.
  ///   - burstDuration: The longest duration of a burst, from its first value; one minute by
  ///     default. If the source stops in the middle of a burst, the burst ends then. A negative
  ///     duration is reported at the caller's line, and counts as zero.
  ///   - delivery: The values of a burst that are delivered.
  ///   - rest: The duration of the rest after each burst. A negative duration is reported at the
  ///     caller's line, and counts as zero.
  public init(
    burst: Int,
    within burstDuration: Duration = .seconds(60),
    delivering delivery: Delivery = .last,
    rest: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.burst = max(burst, 1)
    self.burstDuration = max(burstDuration, .zero).clamped
    self.delivery = delivery
    self.rest = max(rest, .zero).clamped
    let site = CallSite(fileID, filePath, line, column)
    if burst < 1 {
      site.report(
        """
        A duty cycle can't have a burst of \(burst) values, so the burst was set to 1. For work \
        that stops in the background, use whilePhase(_:of:) instead.
        """
      )
    }
    if burstDuration < .zero {
      site.report(
        """
        A duty cycle can't have a burst of \(burstDuration.text), so its duration was set to zero. \
        Pass zero or a positive duration.
        """
      )
    }
    if rest < .zero {
      site.report(
        """
        A duty cycle can't have a rest of \(rest.text), so the rest was set to zero. Pass zero or \
        a positive duration.
        """
      )
    }
  }
}

extension DutyCycle {
  /// A rest that has begun.
  public struct Rest: Sendable {
    /// The duration that the cycle specifies.
    public let requested: Duration
    /// The duration of the rest if nothing ends it early. It is less than requested if the time
    /// that the system grants ends before that.
    public let granted: Duration
    /// A Boolean value that indicates whether the system has granted time for the rest, or a coarse
    /// publisher keeps the process running. If not, the process may be suspended meanwhile.
    public let isGranted: Bool
    let site: CallSite

    /// Reports an issue at the operator's line if the rest is shorter than requested.
    public func report() {
      guard granted < requested else { return }
      site.report(
        """
        A duty cycle requested a rest of \(requested.text), but the system grants less time, so \
        the rest was shortened to \(granted.text). Choose a shorter rest, or pass a publisher \
        that keeps the process running as "resting", one that does not complete.
        """
      )
    }

    /// Returns the duration of a rest that began `elapsed` ago, if `remaining` is left of the
    /// grant.
    ///
    /// A rest that fits into the grant is not changed. A longer rest is shortened, so that a tenth
    /// of the remaining time, at most a second, is left for upstream to begin again.
    package static func granted(
      of requested: Duration,
      remaining: Duration?,
      elapsed: Duration = .zero
    ) -> Duration {
      guard let remaining = remaining.map({ max($0, .zero).clamped }) else { return requested }
      let longest = (max(elapsed, .zero).clamped + remaining).clamped
      return requested <= longest ? requested : longest - min(remaining / 10, .seconds(1))
    }
  }
}

/// Reports rests that are longer than the time that the system grants.
@MainActor
private final class DutyCycleReporter {
  private var hasReported = false

  nonisolated init() {}

  /// Reports a cycle none of whose rests will fit, before the first rest.
  func check(_ cycle: DutyCycle, _ tasks: BackgroundTaskCoordinator, _ site: CallSite) {
    guard let grant = tasks.remainingTime, grant < cycle.rest else { return }
    hasReported = true
    site.report(
      """
      A duty cycle has rests of \(cycle.rest.text), but the system grants a background task \
      \(grant.text), so each rest will be shortened. Choose a shorter rest, or pass a publisher that \
      keeps the process running as "resting".
      """
    )
  }

  func report(_ rest: DutyCycle.Rest) {
    if !hasReported { rest.report() }
  }
}

extension Publisher {
  /// Receives values continuously in the foreground, and in bursts with rests in between in the
  /// background.
  ///
  /// ```swift
  /// let cycle = DutyCycle(burst: 10, rest: .seconds(20))
  /// location.updates.dutyCycle(cycle, of: bus, tasks: tasks)
  ///   .sink { place in remind(of: place) }
  ///   .store(in: scope)
  /// ```
  ///
  /// With a burst of three:
  ///
  /// ```text
  /// phase      active ──▶ background ─────────────────────────────▶ active ─────▶
  /// upstream   S───1────────2───3───[4C]        S──5───6───[7C]     S───8───9────▶
  /// task                            ╞═ rest ════╡          ╞═ rest ═╡
  /// result     ────1────────────────4──────────────────────7────────────8───9────▶
  /// ```
  ///
  /// In the background, upstream is cancelled (C) after a burst, and subscribed to again (S) after
  /// a rest under a background task. <doc:BackgroundWork> has the rules of bursts and rests.
  ///
  /// - **Threads:** upstream is subscribed to where the bus delivers, or on the main actor when the
  ///   time expires. It is cancelled after the last value of a burst, on the thread that has
  ///   delivered it. Values arrive on upstream's thread; a value that a burst has kept until its
  ///   duration had passed, or until the return, arrives where the bus delivers. Downstream
  ///   receives one call at a time: the thread that is calling it also delivers a value that
  ///   arrives meanwhile.
  /// - **Demand:** demand that was not met carries over to the next subscription. For each value
  ///   that a burst leaves out, another one is requested.
  /// - **Completion:** upstream's completion passes through, with or without failure, after the
  ///   last value of the burst so far.
  /// - **The end of the bus:** upstream, or the rest, is cancelled, and the publisher finishes,
  ///   after the last value of the burst so far. On a bus that has ended, it finishes without
  ///   subscribing to upstream, at once where the bus delivers.
  /// - **Cancellation:** thread-safe; upstream, or the rest with its coarse publisher, is cancelled
  ///   at once, exactly once, on the thread that cancels. The bus is not kept alive.
  /// - Complexity: O(1) per value and event.
  ///
  /// - Parameters:
  ///   - cycle: The length of bursts and rests.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - tasks: The coordinator that keeps the process running during rests. Each subscription has
  ///     at most one task.
  ///   - coarse: A publisher that costs little and keeps the process running while it is subscribed
  ///     to, such as location updates of low accuracy; nil for rests under a background task.
  ///   - meter: The meter that measures how long upstream is subscribed.
  ///   - onRest: Called on the main actor for each rest, when it begins or soon after, and again if
  ///     its coarse publisher completes, but not after the end of the subscription. By default, an
  ///     issue is reported at the caller's line: when this method is called if the rests of the
  ///     cycle are longer than a grant, otherwise for each rest that was shortened.
  public func dutyCycle(
    _ cycle: DutyCycle,
    of bus: some LifecycleBusProtocol,
    tasks: BackgroundTaskCoordinator,
    resting coarse: (any Publisher)? = nil,
    meter: DutyCycleMeter? = nil,
    onRest: (@MainActor @Sendable (DutyCycle.Rest) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleOperator<Self> {
    let site = CallSite(fileID, filePath, line, column)
    let bus = bus.core
    let reporter = DutyCycleReporter()
    if onRest == nil, coarse == nil { MainQueue.run { reporter.check(cycle, tasks, site) } }
    let shell = DutyCycleShell(
      cycle: cycle,
      core: bus,
      tasks: tasks,
      coarse: coarse.map { UncheckedSendable($0) },
      onRest: onRest ?? { reporter.report($0) },
      site: site
    )
    return LifecycleOperator(
      DutyCycleMachine(cycle),
      upstream: self,
      of: bus,
      site: site
    ) {
      // The timer ends when the closure is released, at the end of the operator's subscription.
      let timer = DutyCycleTimer(shell)
      return { upstream, subscription, number in
        guard number > 0 else {
          return number < 0 ? timer.start(number, for: subscription) : timer.stop()
        }
        guard !DutyCycleMachine.isRest(number) else {
          timer.stop()
          return DutyCycleRest.begin(number, of: shell, for: subscription)
        }
        let link = UpstreamLink<Output, Failure>(subscription, number: number)
        if let meter {
          upstream.subscribe(MeteredLink(link: link, span: meter.open(bus.clock)))
        } else {
          upstream.subscribe(link)
        }
      }
    }
  }
}

public import LifecycleCombine
public import ReactiveLifecycle

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
  /// - **In the foreground**, and before the first phase is known, every value passes.
  /// - **In the background**, values are counted, from 0 on entering it; the upstream subscription
  ///   is kept. The last value of a burst is delivered, or every value. Then upstream is cancelled
  ///   (C), a background task begins, and the rest lasts for its duration on the continuous clock
  ///   of the bus. After the rest the task ends, and upstream is subscribed to again (S).
  /// - **If values stop in the middle of a burst**, it ends when its duration has passed since its
  ///   first value, as if it were complete.
  /// - A burst or a rest that should have ended while the process was stopped, or the device
  ///   asleep, ends once, as soon as the process runs.
  /// - **The rest is compared with the grant:** with ``BackgroundTaskCoordinator/remainingTime``. A
  ///   longer rest is shortened to the remaining time, less a tenth of it, at most a second, for
  ///   upstream to begin again; otherwise the rest is not changed. The comparison needs the main
  ///   actor. If the burst ends elsewhere, the comparison follows soon after; while the main thread
  ///   is blocked, a rest lasts as long as the cycle specifies. Without a grant, or a limit, a rest
  ///   is never shortened.
  /// - **If the time expires during the rest**, the rest ends. Upstream is subscribed to again
  ///   inside the expiration handler, because a source such as the location service is what keeps
  ///   the process running then.
  /// - **Return to the foreground:** the value that the burst has kept is delivered. A rest ends
  ///   with its task, and upstream is subscribed to again, in the publisher's turn of the event.
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
  /// - **Cancellation:** thread-safe; upstream, or the rest, is cancelled at once, exactly once, on
  ///   the thread that cancels. The bus is not kept alive.
  /// - Complexity: O(1) per value and event.
  ///
  /// - Parameters:
  ///   - cycle: The length of bursts and rests.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - tasks: The coordinator that keeps the process running during rests. Each subscription has
  ///     at most one task.
  ///   - meter: The meter that measures how long upstream is subscribed.
  ///   - onRest: Called on the main actor for each rest, when it begins or soon after, but not
  ///     after the end of the subscription. By default it reports an issue at the caller's line if
  ///     the rest was shortened.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public func dutyCycle(
    _ cycle: DutyCycle,
    of bus: some LifecycleBusProtocol,
    tasks: BackgroundTaskCoordinator,
    meter: DutyCycleMeter? = nil,
    onRest: @escaping @MainActor @Sendable (DutyCycle.Rest) -> Void = { $0.report() },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleOperator<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let shell = DutyCycleShell(
      cycle: cycle,
      core: bus.core,
      tasks: tasks,
      meter: meter,
      site: site,
      onRest: onRest
    )
    return LifecycleOperator(
      DutyCycleMachine(cycle),
      upstream: self,
      of: shell.core,
      site: site
    ) {
      // The span and the timer end when the closure is released, at the end of the operator's
      // subscription.
      let span = shell.meter?.open(.operation, shell.core.clock)
      let timer = DutyCycleTimer(shell)
      return { upstream, subscription, number in
        withExtendedLifetime(span) {
          guard number > 0 else {
            return number < 0 ? timer.start(number, for: subscription) : timer.stop()
          }
          guard !DutyCycleMachine.isRest(number) else {
            timer.stop()
            return DutyCycleRest.begin(number, of: shell, for: subscription)
          }
          let link = UpstreamLink<Output, Failure>(subscription, number: number)
          if let meter = shell.meter {
            upstream.subscribe(MeteredLink(link, meter.open(.upstream, shell.core.clock)))
          } else {
            upstream.subscribe(link)
          }
        }
      }
    }
  }
}

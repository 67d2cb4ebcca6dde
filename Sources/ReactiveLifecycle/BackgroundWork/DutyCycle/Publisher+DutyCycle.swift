public import LifecycleCombine

extension Publisher {
  /// Is continuous in the foreground; in the background it works in bursts, and rests in between.
  ///
  /// ```swift
  /// let cycle = DutyCycle(burst: 10, rest: .seconds(20))
  /// location.updates.dutyCycle(cycle, on: bus, under: tasks)
  ///   .sink { place in remind(of: place) }
  ///   .store(in: scope)
  /// ```
  ///
  /// With a burst of three:
  ///
  /// ```text
  /// phase      active ──▶ background ─────────────────────────────▶ active ─────▶
  /// upstream   S───1────────2───3───4C          S──5───6───7C       S───8───9────▶
  /// task                             ╞═ rest ══╡            ╞═ rest ╡
  /// result     ────1────────────────4──────────────────────7────────────8───9────▶
  /// ```
  ///
  /// - **In the foreground**, and before the first phase is known, every value passes.
  /// - **In the background** values are counted, from 0 on entering it; upstream goes on there as it
  ///   is. The last value of a burst is handed out, or each. Then upstream is cancelled (C), a background
  ///   task is begun, and the rest lasts, on the continuous clock of the bus. After it the task is ended
  ///   and upstream is subscribed to again (S). A rest that was due while the process was stopped, or
  ///   the device asleep, ends once, as soon as the process runs.
  /// - **The rest is compared with the grant:** with ``BackgroundTaskCoordinator/remainingTime``. A
  ///   longer rest is shortened to that, less a tenth of it, at most a second, for upstream to begin
  ///   again; one that is not longer is left alone. That needs the main actor. If the burst ends
  ///   elsewhere it is done soon after; while the main thread is blocked, a rest lasts as long as the
  ///   cycle wants. Without a grant, or a limit, a rest is never shortened.
  /// - **Time is up during the rest:** the rest is over. Upstream is subscribed to again inside the
  ///   expiration handler: a source such as the location service is what keeps the process running then.
  /// - **Return to the foreground:** what the burst has put aside is handed out. A rest ends with its
  ///   task, and upstream is subscribed to again, in the publisher's turn of the event.
  /// - **Where:** upstream is subscribed to where the bus delivers, or on the main actor when time is up.
  ///   It is cancelled after the last value of a burst, on the thread that has handed it out. Values
  ///   arrive on upstream's thread. Downstream is called once at a time: a value that comes meanwhile is
  ///   handed out by the thread that is handing out.
  /// - **Demand:** what downstream has asked for and not been given carries over to the next
  ///   subscription. For a value that a burst leaves out, another one is asked for.
  /// - **Completion:** upstream's passes through, be it a failure or not, after the last value of the
  ///   burst so far.
  /// - **The end of the bus:** upstream, or the rest, is cancelled, and the publisher finishes, after the
  ///   last value of the burst so far. On a bus that has ended it finishes without subscribing to
  ///   upstream, at once where the bus delivers.
  /// - **Cancellation:** any thread; at once and once, upstream, or the rest, on that thread. The bus is
  ///   not kept alive.
  /// - **Complexity:** O(1) a value and an event.
  ///
  /// - Parameters:
  ///   - cycle: How long bursts and rests are.
  ///   - bus: Whose phase and clock count.
  ///   - tasks: Who lets the process run on during rests. Each subscription has one task at most.
  ///   - meter: What measures how long upstream is subscribed.
  ///   - onRest: Called on the main actor for each rest, when it begins or soon after; not after the
  ///     end of the subscription. By default it reports an issue at the caller's line if the rest was
  ///     shortened.
  public func dutyCycle(
    _ cycle: DutyCycle,
    on bus: some LifecycleBusProtocol,
    under tasks: BackgroundTaskCoordinator,
    meter: DutyCycleMeter? = nil,
    onRest: @escaping @MainActor @Sendable (DutyCycle.Rest) -> Void = { $0.report() },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecycleDutyCycle<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return Publishers.LifecycleDutyCycle(
      self,
      DutyCycleShell(cycle, bus.core.core, tasks, meter, onRest, site)
    )
  }
}

extension Publishers {
  /// What `dutyCycle(_:on:under:meter:onRest:)` makes of a publisher.
  public struct LifecycleDutyCycle<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let upstream: Upstream
    private let shell: DutyCycleShell

    init(_ upstream: Upstream, _ shell: DutyCycleShell) {
      self.upstream = upstream
      self.shell = shell
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      // It ends with the release of the closure, which the operator lets go of at its end.
      let operation = shell.meter?.open(.operation, shell.core.clock)
      OperatorConduit.start(
        DutyCycleMachine(shell.cycle),
        subscribing: Carried { [upstream, shell] conduit, number in
          withExtendedLifetime(operation) {
            guard !DutyCycleMachine.isRest(number) else {
              return DutyCycleRest.begin(number, of: shell, for: conduit)
            }
            let link = UpstreamLink<Output, Failure>(conduit, number)
            if let meter = shell.meter {
              upstream.subscribe(MeteredLink(link, meter.open(.upstream, shell.core.clock)))
            } else {
              upstream.subscribe(link)
            }
          }
        },
        to: subscriber,
        hearing: .transitions,
        of: shell.core,
        shell.site
      )
    }
  }
}

extension Publishers.LifecycleDutyCycle: Sendable where Upstream: Sendable {}

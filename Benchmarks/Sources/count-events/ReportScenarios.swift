import LifecycleCombine
import ReactiveLifecycle
import SteppedClock

/// Makes each report of a bus once, with as many sources as the square root of the number of
/// observers, each of another participant.
func report(beside count: Int) -> Performance {
  let audience = Audience(.token, count)
  let bus = audience.bus
  let connections = (0..<Int(Double(count).squareRoot())).map {
    connect("source \($0)", as: .participant(.init(rawValue: "participant \($0)")), to: bus)
  }
  let observed = bus.connectWhileObserved(SilentSource(name: "observed"))
  let found = Tally()
  found.add(bus.liveSubscriptions.count)
  let diagnostics = bus.diagnostics
  found.add(diagnostics.liveSubscriptions.count)
  let request = Task { await bus.requestExit() }
  CallingThreadExecutor.shared.run()
  bus.send(.counted, at: .fixed)
  let named = Tally()
  named.add(diagnostics.participants.count)
  return Performance(
    holding: (audience, connections, observed, request),
    .init("observer", audience.tallies[...], calls: 1),
    .init("report", [found], calls: 2 * count),
    // With the application.
    .init("list of participants", [named], calls: connections.count + 1)
  )
}

private func connect(
  _ name: String,
  as role: LifecycleRole,
  to bus: LifecycleBus
) -> LifecycleCancellable {
  do {
    return try bus.connect(SilentSource(name: .init(rawValue: name)), as: role)
  } catch {
    preconditionFailure("\(error)")
  }
}

/// A source that reports nothing.
private struct SilentSource: LifecycleSource {
  let name: LifecycleSourceName

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void { {} }
}

/// Asks for all phases and for both durations, of a history that has dropped its first changes.
func askHistory(_ count: Int) -> Performance {
  let clock = SteppedLifecycleClock()
  let bus = LifecycleBus(clock: clock)
  for index in 0..<200 {
    clock.step()
    bus.send(index.isMultiple(of: 2) ? .didBecomeActive : .willResignActive)
  }
  let tally = Tally()
  guard let start = bus.historyStart else { preconditionFailure("There is no history.") }
  let all = start..<clock.continuous
  for _ in 0..<count {
    // More often, as one answer takes a hundredth of what a duration takes.
    for second in 0..<128 where bus.phase(at: start + .seconds(second)) != nil { tally.add() }
    if bus.foregroundDuration(during: all) == .seconds(127) { tally.add() }
    if bus.backgroundDuration(during: all) == .zero { tally.add() }
  }
  return Performance(holding: bus, .init("history", [tally], calls: 130 * count))
}

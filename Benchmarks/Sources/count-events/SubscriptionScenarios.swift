import EventCounts
import LifecycleCombine
import ReactiveLifecycle

/// Subscribes and cancels beside 100 others, which alone see the event at the end.
func subscribe(_ count: Int, _ style: ObserverStyle) -> Performance {
  let audience = Audience(style, 100)
  let cancelled = Tally()
  for _ in 0..<count {
    style.observe(audience.bus, in: audience.scope, cancelled).cancel()
  }
  return audience.performance(without: cancelled)
}

/// Subscribes a hundred at a time, and cancels them in that order.
func subscribeFirstOut(_ count: Int, _ style: ObserverStyle) -> Performance {
  let audience = Audience(style, 100)
  let cancelled = Tally()
  var batch: [any Cancellable] = []
  batch.reserveCapacity(100)
  for _ in 0..<count / 100 {
    for _ in 0..<100 { batch.append(style.observe(audience.bus, in: audience.scope, cancelled)) }
    for subscription in batch { subscription.cancel() }
    batch.removeAll(keepingCapacity: true)
  }
  return audience.performance(without: cancelled)
}

extension Audience {
  /// Sends an event that the audience must see, and those who have been cancelled must not.
  fileprivate func performance(without cancelled: Tally) -> Performance {
    bus.send(.counted, at: .fixed)
    return Performance(
      holding: self,
      .init("observer", tallies[...], calls: 1),
      .init("cancelled observer", [cancelled], calls: 0)
    )
  }
}

/// Keeps observers until the process exits.
///
/// What the caller needs for them is allocated for the larger of both runs, so that the difference is
/// the library's.
func holdLive(_ count: Int, _ style: ObserverStyle) -> Performance {
  var audience = Audience(style, roomFor: max(count, 2 * Scenario.liveToken.count))
  audience.admit(count)
  audience.bus.send(.counted, at: .fixed)
  return Performance(
    holding: audience,
    .init("observer", audience.tallies.prefix(count), calls: 1)
  )
}

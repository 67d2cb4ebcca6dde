import LifecycleCombine
import LifecycleFlightRecording
import ReactiveLifecycle

func deliver(_ count: Int, to audience: Audience) -> Performance {
  for _ in 0..<count { audience.bus.send(.counted, at: .fixed) }
  return audience.performance(calls: count)
}

func deliverWithRealClock(_ count: Int, to audience: Audience) -> Performance {
  for _ in 0..<count { audience.bus.send(.counted) }
  return audience.performance(calls: count)
}

/// Sends with a flight recorder that drops a record for each that it makes.
func deliverRecorded(_ count: Int, to audience: Audience) -> Performance {
  let recorder = FlightRecorder(of: audience.bus, capacity: 100)
  for _ in 0..<count { audience.bus.send(.counted, at: .fixed) }
  let tally = Tally()
  let recording = recorder.recording
  tally.add(recording.start.dropped + recording.records.count)
  return Performance(
    holding: (audience, recorder),
    .init("observer", audience.tallies[...], calls: count),
    .init("recorder", [tally], calls: 2 * count)
  )
}

func deliverOnNonisolatedBus(_ count: Int, observers: Int) -> Performance {
  let bus = NonisolatedLifecycleBus()
  let tallies = (0..<observers).map { _ in Tally() }
  let tokens = tallies.map { tally in bus.addObserver { _ in tally.add() } }
  for _ in 0..<count { bus.send(.counted, at: .fixed) }
  return Performance(holding: (bus, tokens), .init("observer", tallies[...], calls: count))
}

/// Sends what the observers have filtered out; at last one event that they have not.
func deliverPast(_ count: Int, _ audience: Audience) -> Performance {
  for _ in 0..<count { audience.bus.send(.counted, at: .fixed) }
  audience.bus.send(.unfiltered, at: .fixed)
  return audience.performance(calls: 1)
}

/// Leaves the phase `active` and comes back, an event each.
func deliverTransitions(_ count: Int, to audience: Audience) -> Performance {
  for index in 0..<count {
    audience.bus.send(index.isMultiple(of: 2) ? .willResignActive : .didBecomeActive, at: .fixed)
  }
  return audience.performance(calls: count)
}

/// Repeats the transition to the phase that the bus is in; at last an event that is none.
func suppress(_ count: Int, before audience: Audience) -> Performance {
  for _ in 0..<count { audience.bus.send(.didBecomeActive, at: .fixed) }
  audience.bus.send(.counted, at: .fixed)
  return audience.performance(calls: 1)
}

/// Sends to a bus with a child, which passes on to the only observer.
func deliverToChild(_ count: Int) -> Performance {
  let parent = LifecycleBus()
  parent.send(.didBecomeActive, at: .fixed)
  let child = LifecycleBus(parent: parent)
  let tally = Tally()
  let token = ObserverStyle.token.observe(child, in: LifecycleScope(), tally)
  for _ in 0..<count { parent.send(.counted, at: .fixed) }
  return Performance(holding: (parent, child, token), .init("observer", [tally], calls: count))
}

import EventCounts
import ReactiveLifecycle

/// Keeps kinds with names of thirty characters until the process exits, and makes a list of them.
func holdNames(_ count: Int) -> Performance {
  var kinds: [LifecycleEvent.Kind] = []
  kinds.reserveCapacity(max(count, 2 * Scenario.liveName.count))
  for index in 0..<count {
    kinds.append(.init(rawValue: "com.example.rental.event.\(10_000 + index)"))
  }
  let list = LifecycleEvent.Kinds(kinds)
  let tally = Tally()
  tally.add(kinds.count { list.contains($0) })
  return Performance(holding: kinds, .init("kind", [tally], calls: count))
}

/// Compares two kinds, and hashes one.
func compareKinds(_ count: Int) -> Performance {
  let kinds: [LifecycleEvent.Kind] = [.counted, .unfiltered, .counted]
  let (unequal, hashed) = (Tally(), Tally())
  for index in 0..<count {
    let (kind, other) = (kinds[index % 2], kinds[index % 2 + 1])
    if kind != other { unequal.add() }
    if kind.hashValue != 0 { hashed.add() }
  }
  return Performance(
    holding: kinds,
    .init("comparison", [unequal, hashed], calls: count)
  )
}

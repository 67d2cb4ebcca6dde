import LifecycleCombine
import ReactiveLifecycle

/// Adds members of all kinds to a scope, of which the tasks finish, and ends it with the others.
func fillScope(_ count: Int) -> Performance {
  let bus = LifecycleBus()
  let scope = LifecycleScope()
  let executor = CallingThreadExecutor.shared
  let (stored, ended, takenBack) = (Tally(), Tally(), Tally())
  let (started, listening, earlier) = (Tally(), Tally(), Tally())
  for _ in 0..<count {
    LifecycleCancellable { stored.add() }.store(in: scope)
    scope.onEnd { ended.add() }
    scope.onEnd { takenBack.add() }.cancel()
    scope.task { started.add() }
    scope.task(for: bus.events) { _ in listening.add() }
    Task { earlier.add() }.store(in: scope)
  }
  // Each gives up its place among the members.
  executor.run()
  scope.end()
  return Performance(
    holding: (bus, scope),
    .init("member", [stored, ended, started, listening, earlier], calls: count),
    .init("action that was taken back", [takenBack], calls: 0)
  )
}

/// Fills a scope with sinks whose publisher has completed. Those that were cancelled elsewhere take
/// less.
func holdCompletedSinks(_ count: Int) -> Performance {
  let scope = LifecycleScope()
  let tally = Tally()
  for _ in 0..<count {
    let subject = PassthroughSubject<Int, Never>()
    subject.sink { tally.add($0) }.store(in: scope)
    subject.send(completion: .finished)
    subject.send(1)
  }
  return Performance(holding: scope, .init("observer", [tally], calls: 0))
}

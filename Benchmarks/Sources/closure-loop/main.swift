import BenchmarkSupport
import LifecycleCore

// The limit: what calling so many closures costs.

/// Made where the loop can't see it, each with a context of its own.
@inline(never)
func makeObserver(_ slot: CallSlot) -> (LifecycleEvent) -> Void {
  { _ in slot.increment() }
}

let program = PeerProgram("closure-loop")
program.addSending("closures", calls: 4_000) { slots in
  let observers = slots.map(makeObserver)
  return SendingFixture(keeping: observers) { count in
    let event = LifecycleEvent.sample
    for _ in 0..<count {
      for observer in observers { observer(event) }
    }
  }
}
program.run()

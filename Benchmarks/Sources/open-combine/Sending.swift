import BenchmarkSupport
import OpenCombineShim
import ReactiveLifecycle

// Every sink here is made in nonisolated code. In main-actor code, such as a `main.swift`, the
// compiler adds a check of the actor to each call, which OpenCombine is not to blame for.

/// Events to observers.
func addSendingRows(to program: PeerProgram) {
  program.addSending("passthrough-sink") { slots in
    let subject = PassthroughSubject<LifecycleEvent, Never>()
    let sinks = slots.map { slot in subject.sink { _ in slot.increment() } }
    return SendingFixture(keeping: sinks) { count in
      send(count, to: subject)
    }
  }
  program.addSending("passthrough-subscriber") { slots in
    let subject = PassthroughSubject<LifecycleEvent, Never>()
    for slot in slots { subject.subscribe(CountingSubscriber(slot)) }
    return SendingFixture(keeping: subject) { count in
      send(count, to: subject)
    }
  }
  program.addSending("current-value-sink", callsBefore: 1) { slots in
    let subject = CurrentValueSubject<LifecycleEvent, Never>(.sample)
    let sinks = slots.map { slot in subject.sink { _ in slot.increment() } }
    return SendingFixture(keeping: sinks) { count in
      send(count, to: subject)
    }
  }
}

/// Sends that many events.
func send(_ count: Int, to subject: some Subject<LifecycleEvent, Never>) {
  let event = LifecycleEvent.sample
  for _ in 0..<count { subject.send(event) }
}

import BenchmarkSupport
import LifecycleCombine
import LifecycleCore

// Sinks are made in nonisolated code, but for one row. In main-actor code, such as a `main.swift`, the
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
  program.addSending("passthrough-sink-main-actor") { slots in
    let sinks = MainActor.assumeIsolated { MainActorSinks(slots) }
    return SendingFixture(keeping: sinks) { count in
      send(count, to: sinks.subject)
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

/// Sinks in main-actor code.
///
/// `@unchecked Sendable`: they are made, called and released on the main thread.
private final class MainActorSinks: @unchecked Sendable {
  let subject = PassthroughSubject<LifecycleEvent, Never>()
  private let sinks: [AnyCancellable]

  @MainActor
  init(_ slots: [CallSlot]) {
    let subject = subject
    sinks = slots.map { slot in subject.sink { _ in slot.increment() } }
  }
}

/// Sends that many events.
func send(_ count: Int, to subject: some Subject<LifecycleEvent, Never>) {
  let event = LifecycleEvent.sample
  for _ in 0..<count { subject.send(event) }
}

/// Observers added and cancelled.
func addSubscribingRows(to program: PeerProgram) {
  program.addSubscribing("passthrough-sink") { slots, cancelled in
    let subject = PassthroughSubject<LifecycleEvent, Never>()
    let sinks = slots.map { slot in subject.sink { _ in slot.increment() } }
    return SubscribingFixture(keeping: sinks) { count in
      send(count, to: subject)
    } subscribeAndCancel: { count in
      for _ in 0..<count {
        let sink = subject.sink { _ in cancelled.increment() }
        sink.cancel()
      }
    }
  }
}

/// Events from several threads; see ``AtomicCallCounts`` for how their observers count.
func addThreadRows(to program: PeerProgram) {
  program.addSendingFromThreads("passthrough-sink") {
    nonisolated(unsafe) let subject = PassthroughSubject<LifecycleEvent, Never>()
    let calls = AtomicCallCounts(observers: PeerProgram.observersOfThreads)
    let sinks = calls.all.map { slot in subject.sink { _ in slot.increment() } }
    return ThreadedFixture { count in
      send(count, to: subject)
    } check: { expected in
      try withExtendedLifetime(sinks) { try calls.check(expected: expected) }
    }
  }
}

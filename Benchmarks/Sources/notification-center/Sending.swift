import BenchmarkSupport
import Foundation
import OpenCombineFoundation
import ReactiveLifecycle

/// Events to observers.
func addSendingRows(to program: PeerProgram) {
  program.addSending("blocks") { slots in
    let center = NotificationCenter()
    let tokens = observe(center, slots)
    return SendingFixture(keeping: tokens) { count in
      post(count, to: center)
    }
  }
  program.addSending("publisher") { slots in
    let center = NotificationCenter()
    // In nonisolated code, so that the compiler adds no check of the main actor to each call.
    let sinks = slots.map { slot in
      center.ocombine.publisher(for: .sample).sink { _ in slot.increment() }
    }
    return SendingFixture(keeping: sinks) { count in
      post(count, to: center)
    }
  }
  program.addSending("main-actor-message") { slots in
    let center = NotificationCenter()
    let subject = Message.Subject()
    let tokens = slots.map { slot in
      center.addObserver(of: subject, for: Message.self) { _ in slot.increment() }
    }
    return SendingFixture(keeping: tokens) { count in
      post(count, to: center, about: subject)
    }
  }
}

/// Adds a block for each slot.
func observe(_ center: NotificationCenter, _ slots: [CallSlot]) -> [any NSObjectProtocol] {
  slots.map { slot in
    center.addObserver(forName: .sample, object: nil, queue: nil) { _ in slot.increment() }
  }
}

/// Posts notifications.
func post(_ count: Int, to center: NotificationCenter) {
  for _ in 0..<count { center.post(name: .sample, object: nil) }
}

/// Posts messages on the main actor, which is asked for once, not once a message.
func post(_ count: Int, to center: NotificationCenter, about subject: Message.Subject) {
  let event = LifecycleEvent.sample
  MainActor.assumeIsolated {
    for _ in 0..<count { center.post(Message(event: event), subject: subject) }
  }
}

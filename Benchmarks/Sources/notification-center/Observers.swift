import BenchmarkSupport
import Foundation
import LifecycleCore
import OpenCombineFoundation

/// The typed message. It carries the event.
struct Message: NotificationCenter.MainActorMessage {
  static let name = Notification.Name("BenchmarkMessage")

  /// What it is posted about; nil subjects are not offered for messages.
  final class Subject: Sendable {}

  /// What happened.
  let event: LifecycleEvent

  static func makeMessage(_ notification: Notification) -> Message? { nil }
}

extension Notification.Name {
  /// What is posted without an object and without a dictionary: the cheapest form there is.
  static let sample = Notification.Name("Benchmark")
}

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

/// Observers added and cancelled.
func addSubscribingRows(to program: PeerProgram) {
  program.addSubscribing("blocks") { slots, cancelled in
    let center = NotificationCenter()
    let tokens = observe(center, slots)
    return SubscribingFixture(keeping: tokens) { count in
      post(count, to: center)
    } subscribeAndCancel: { count in
      for _ in 0..<count {
        let token = center.addObserver(forName: .sample, object: nil, queue: nil) { _ in
          cancelled.increment()
        }
        center.removeObserver(token)
      }
    }
  }
  program.addSubscribing("blocks-first-out") { slots, cancelled in
    let center = NotificationCenter()
    let tokens = observe(center, slots)
    return SubscribingFixture(keeping: tokens) { count in
      post(count, to: center)
    } subscribeAndCancel: { count in
      let tokens = (0..<count).map { _ in
        center.addObserver(forName: .sample, object: nil, queue: nil) { _ in cancelled.increment() }
      }
      for token in tokens { center.removeObserver(token) }
    }
  }
  program.addSubscribing("main-actor-message") { slots, cancelled in
    let center = NotificationCenter()
    let subject = Message.Subject()
    let tokens = slots.map { slot in
      center.addObserver(of: subject, for: Message.self) { _ in slot.increment() }
    }
    return SubscribingFixture(keeping: tokens) { count in
      post(count, to: center, about: subject)
    } subscribeAndCancel: { count in
      for _ in 0..<count {
        let token = center.addObserver(of: subject, for: Message.self) { _ in
          cancelled.increment()
        }
        center.removeObserver(token)
      }
    }
  }
}

/// Events from several threads; see ``AtomicCallCounts`` for how their observers count.
func addThreadRows(to program: PeerProgram) {
  program.addSendingFromThreads("blocks") {
    let center = NotificationCenter()
    let calls = AtomicCallCounts(observers: PeerProgram.observersOfThreads)
    let tokens = calls.all.map { slot in
      center.addObserver(forName: .sample, object: nil, queue: nil) { _ in slot.increment() }
    }
    return ThreadedFixture { count in
      post(count, to: center)
    } check: { expected in
      try withExtendedLifetime(tokens) { try calls.check(expected: expected) }
    }
  }
}

import BenchmarkSupport
import Foundation
import ReactiveLifecycle

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

import LifecycleSupport
import ReactiveLifecycle

/// The connection of one bus to the focus of the terminal.
final class FocusConnection: Sendable {
  /// The thread on which a nonisolated bus delivers.
  enum Thread {
    /// The calling thread, as for other sources.
    case calling
    /// Another one: no observer runs on the thread of the process source.
    case another
  }

  private let input: LifecycleFeed
  private let outbox: Locked<FocusOutbox>

  init(_ input: LifecycleFeed, found: Bool?) {
    self.input = input
    outbox = Locked(FocusOutbox(found: found))
  }

  /// Adds a report. Returns true if the caller is to send.
  func add(_ isFocused: Bool) -> Bool {
    outbox.withLock { $0.add(isFocused) }
  }

  func send(on thread: Thread) {
    while let reports = outbox.withLock({ $0.take() }) {
      for isFocused in reports {
        let kind: LifecycleEvent.Kind = isFocused ? .didBecomeActive : .willResignActive
        switch thread {
        case .calling: input.send(kind)
        case .another: _ = input.send(kind, completion: {})
        }
      }
    }
  }
}

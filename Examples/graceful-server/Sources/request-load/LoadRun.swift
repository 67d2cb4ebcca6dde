import Foundation
import Synchronization

/// Clients that run at the same time, each on a thread.
final class LoadRun: Sendable {
  private let waiting: Atomic<Int>
  private let total = Mutex(Tally())

  /// - Parameter clients: The number of clients.
  init(clients: Int) {
    waiting = Atomic(clients)
  }

  /// Runs the clients until the server accepts no connection.
  ///
  /// - Parameters:
  ///   - clients: The clients, as many as announced.
  ///   - onStart: Called when each client has received a response.
  func run(_ clients: [Client], onStart: @escaping @Sendable () -> Void) -> Tally {
    let threads = DispatchGroup()
    for client in clients {
      threads.enter()
      Thread.detachNewThread {
        let tally = client.run {
          if self.waiting.subtract(1, ordering: .relaxed).newValue == 0 { onStart() }
        }
        self.total.withLock { $0 = $0 + tally }
        threads.leave()
      }
    }
    threads.wait()
    return total.withLock(\.self)
  }
}

import LifecycleSupport
import ReactiveLifecycle
import Synchronization

/// The probe's connection to the process's signals, which can be made anew.
final class ProbeConnection: Sendable {
  private let make: @Sendable () throws -> LifecycleCancellable
  private let current = Mutex<LifecycleCancellable?>(nil)

  init(_ make: @escaping @Sendable () throws -> LifecycleCancellable) {
    self.make = make
  }

  /// Connects; the phase that is found is reported before this returns on the bus' own thread.
  func connect() throws {
    let connection = try make()
    current.withLock { $0 = connection }
  }

  func cancel() {
    current.withLock { $0 }?.cancel()
  }
}

import Foundation
import LifecycleSupport
import ReactiveLifecycle
import Synchronization

/// Four threads count, all of them at once. The thread sanitizer must report a race if the count is not
/// guarded, and none if it is.
func race(isGuarded: Bool) {
  let count = Count()
  let finished = DispatchSemaphore(value: 0)
  for _ in 0..<4 {
    Thread {
      // Wait for the others in a way that orders nothing.
      count.arrived.add(1, ordering: .relaxed)
      while count.arrived.load(ordering: .relaxed) < 4 {}
      for _ in 0..<10_000 {
        if isGuarded { count.guarded.withLock { $0 += 1 } } else { count.unguarded += 1 }
      }
      finished.signal()
    }.start()
  }
  for _ in 0..<4 { finished.wait() }
  print(isGuarded ? count.guarded.withLock { $0 } : count.unguarded)
}

private final class Count: @unchecked Sendable {
  var unguarded = 0
  let guarded = Locked(0)
  let arrived = Atomic(0)
}

import Foundation
import LifecycleCore
import LifecycleSupport

/// What several threads count with.
protocol RacingCount: Sendable {
  init()
  func increment()
  var value: Int { get }
}

/// Four threads count, all of them at once, and print the number.
func race(_ type: any RacingCount.Type) {
  let count = type.init()
  let arrived = Arrivals()
  let finished = DispatchSemaphore(value: 0)
  for _ in 0..<4 {
    Thread {
      // Wait for the others in a way that orders nothing.
      arrived.count.add(1, ordering: .relaxed)
      while arrived.count.load(ordering: .relaxed) < 4 {}
      for _ in 0..<10_000 { count.increment() }
      finished.signal()
    }.start()
  }
  for _ in 0..<4 { finished.wait() }
  print(count.value)
}

private final class Arrivals: Sendable {
  let count = Atomic(0)
}

/// The thread sanitizer must report it.
final class UnguardedCount: RacingCount, @unchecked Sendable {
  private(set) var value = 0

  func increment() { value += 1 }
}

/// The thread sanitizer must not report it.
final class GuardedCount: RacingCount {
  private let count = Locked(0)

  func increment() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

/// It is read from an array that has left the critical section, as the values of a test's double are. The
/// thread sanitizer must not report it.
final class GuardedArrayCount: RacingCount {
  private let counts = Locked([0])

  func increment() {
    counts.withLock { $0[0] += 1 }
    _ = value
  }

  var value: Int { counts.withLock { $0 }[0] }
}

/// It is read from collections that have left the critical section inside of another value. The thread
/// sanitizer must not report it.
final class GuardedTupleCount: RacingCount {
  private struct State {
    var counts = [0]
    var named = ["count": 0]
  }

  private let state = Locked(State())

  func increment() {
    state.withLock { state in
      state.counts[0] += 1
      state.named["count", default: 0] += 1
    }
    _ = value
  }

  var value: Int {
    let (counts, named) = state.withLock { state in
      (state.counts.unsharedForSanitizer, state.named.unsharedForSanitizer)
    }
    return min(counts[0], named["count"] ?? 0)
  }
}

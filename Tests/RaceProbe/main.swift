import Dispatch
import ReactiveLifecycle

// Four threads count. The thread sanitizer must report a race with the argument `unguarded`, and
// none with `guarded`.

final class Unguarded: @unchecked Sendable {
  var count = 0
}

let unguarded = Unguarded()
let guarded = Locked(0)
let isGuarded = CommandLine.arguments.dropFirst().first == "guarded"

DispatchQueue.concurrentPerform(iterations: 4) { _ in
  for _ in 0..<10_000 {
    if isGuarded {
      guarded.withLock { $0 += 1 }
    } else {
      unguarded.count += 1
    }
  }
}
print(isGuarded ? guarded.withLock { $0 } : unguarded.count)

// A process of its own, run by tests, with nothing linked but LifecycleCore.

import Dispatch
import Foundation
import LifecycleCore

let counts: [String: any RacingCount.Type] = [
  "unguarded": UnguardedCount.self, "guarded": GuardedCount.self,
  "guarded-array": GuardedArrayCount.self, "guarded-tuple": GuardedTupleCount.self,
]
if CommandLine.arguments.dropFirst().first == "race", let name = CommandLine.arguments.last,
  let count = counts[name]
{
  race(count)
  exit(0)
}

// Sends from several places and prints the outcome: `delivered` where the bus takes the caller for the
// main actor, else `queued`. The argument says which thread asks first.
func outcome() -> LifecycleSendResult { LifecycleBus().send(.systemDidWake) }

func askHere() { print("main thread: \(outcome())") }

func askElsewhere() {
  let finished = DispatchSemaphore(value: 0)
  Thread {
    print("other thread: \(outcome())")
    finished.signal()
  }.start()
  finished.wait()
}

let isOtherFirst = CommandLine.arguments.last == "other-first"
for _ in 1...2 {
  if isOtherFirst { askElsewhere() }
  askHere()
  if !isOtherFirst { askElsewhere() }
}
DispatchQueue(label: "serial").async {
  print("other queue: \(outcome())")
  DispatchQueue.main.async {
    print("main queue: \(outcome())")
    Task { @MainActor in
      await Task.detached {}.value
      print("main actor after an await: \(outcome())")
      askElsewhere()
      exit(0)
    }
  }
}
// From here on worker threads may serve the main queue.
dispatchMain()

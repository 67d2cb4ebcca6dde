import Dispatch
import Foundation
import ReactiveLifecycle

// Sends from several places and prints what became of it: `delivered` where the bus holds the caller
// for the main actor, else `queued`. The argument says which thread is the first to ask.

func outcome() -> LifecycleSendOutcome { LifecycleBus().send(.systemDidWake) }

func onThread(_ body: @escaping @Sendable () -> Void) {
  let finished = DispatchSemaphore(value: 0)
  Thread {
    body()
    finished.signal()
  }.start()
  finished.wait()
}

func askElsewhere() { onThread { print("other thread: \(outcome())") } }
func askHere() { print("main thread: \(outcome())") }

let isOtherFirst = CommandLine.arguments.dropFirst().first == "other-first"
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

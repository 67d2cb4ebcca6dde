import Dispatch
import Foundation
import ReactiveLifecycle

/// Sends from several places and prints the outcome: `delivered` where the bus takes the caller for the
/// main actor, else `queued`.
///
/// - Parameter isOtherFirst: Whether the first thread to ask is not the main thread.
func askFromEverywhere(isOtherFirst: Bool) -> Never {
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
}

private func outcome() -> LifecycleSendOutcome { LifecycleBus().send(.systemDidWake) }

private func askHere() { print("main thread: \(outcome())") }

private func askElsewhere() {
  let finished = DispatchSemaphore(value: 0)
  Thread {
    print("other thread: \(outcome())")
    finished.signal()
  }.start()
  finished.wait()
}

import Dispatch

/// Waits until everything that the main queue holds now has run.
public func mainQueueToDrain() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

import Foundation
import ReactiveLifecycle

/// A source that reports what a test tells it to.
final class TestSource: LifecycleSource {
  let name: LifecycleSourceName
  private let trace: Trace
  private let started = Locked<LifecycleInput?>(nil)

  init(_ name: LifecycleSourceName = "test", trace: Trace = Trace()) {
    self.name = name
    self.trace = trace
  }

  /// What `connect` gave to the source.
  var input: LifecycleInput { started.withLock { $0 }! }

  func start(_ input: LifecycleInput) -> @Sendable () -> Void {
    started.withLock { $0 = input }
    trace("\(name) started")
    return { [trace, name] in trace("\(name) stopped") }
  }
}

/// Runs the body on a thread of its own and waits for it, blocking.
func onOtherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
  let result = Locked<Result?>(nil)
  let finished = DispatchSemaphore(value: 0)
  Thread {
    let value = body()
    result.withLock { $0 = value }
    finished.signal()
  }.start()
  finished.wait()
  return result.withLock { $0! }
}

/// Runs the body on a thread of its own and waits for it, without blocking.
func awaitOtherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

/// Waits until everything that the main queue holds now has run.
func mainQueueToDrain() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// The thread that calls.
func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

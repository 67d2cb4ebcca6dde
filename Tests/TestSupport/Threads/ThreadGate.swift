import Dispatch

/// What a thread waits for, blocking, until a test opens it.
public final class ThreadGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  public init() {}

  public func open() { semaphore.signal() }

  public func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

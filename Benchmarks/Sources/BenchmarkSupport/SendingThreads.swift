import Dispatch
import Foundation

/// Threads that all send at once, at a signal.
///
/// They are started before anything is measured, and wait at a barrier between two iterations.
public final class SendingThreads {
  private final class Lane: Sendable {
    let start = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    /// How many events to send; nil ends the thread. Written before `start`, read after it.
    nonisolated(unsafe) var count: Int?
  }

  private let lanes: [Lane]

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - send: Sends that many events. Called on every thread at once.
  public init(_ count: Int, send: @escaping @Sendable (_ count: Int) -> Void) {
    lanes = (0..<count).map { _ in Lane() }
    for lane in lanes {
      Thread.detachNewThread {
        lane.start.wait()
        while let count = lane.count {
          send(count)
          lane.done.signal()
          lane.start.wait()
        }
        lane.done.signal()
      }
    }
  }

  deinit {
    run { _ in nil }
  }

  /// Sends that many events in all, and returns when all threads have sent theirs.
  public func send(_ count: Int) {
    run { lane in count / lanes.count + (lane < count % lanes.count ? 1 : 0) }
  }

  private func run(_ share: (_ lane: Int) -> Int?) {
    for (index, lane) in lanes.enumerated() { lane.count = share(index) }
    for lane in lanes { lane.start.signal() }
    for lane in lanes { lane.done.wait() }
  }
}

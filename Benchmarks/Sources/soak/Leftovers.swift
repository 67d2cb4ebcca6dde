import Foundation
import Synchronization

/// The check of the resources that the process still uses after its epochs.
final class Leftovers: Sendable {
  private let faults: Faults
  private let memory = Mutex<[[UInt8]]>([])

  init(_ faults: Faults) { self.faults = faults }

  /// Waits until the threads of Dispatch have ended, and with them what they had cached.
  ///
  /// Dispatch ends a thread that has had nothing to do for 5 s. Waiting in shorter steps would give
  /// its threads something to do.
  ///
  /// - Parameter earlier: What the process used at an earlier time like that. If more threads than
  ///   then are left, it waits for them somewhat longer.
  /// - Returns: What the process uses then.
  func waitForIdleness(comparedWith earlier: ProcessUse?) async -> ProcessUse {
    var use = ProcessUse.current
    for _ in 1...3 {
      try? await Task.sleep(for: .seconds(7))
      use = .current
      if use.threads <= earlier?.threads ?? .max { break }
    }
    return use
  }

  /// Checks that nothing is left of some epochs between two times at which the process was idle.
  func check(_ before: ProcessUse, _ after: ProcessUse, epochs: Int) {
    let growth = after.heap - before.heap
    print("heap: \(growth) bytes more after \(epochs) epochs")
    faults.check(
      .leftovers,
      growth <= Self.heapTolerance + epochs * Self.heapTolerancePerEpoch,
      "memory in use grew by \(growth) bytes, \(growth / epochs) an epoch"
    )
    faults.check(
      .leftovers,
      after.memory <= 2 * before.memory + Self.residentTolerance,
      "memory that is resident grew from \(before.memory) to \(after.memory) bytes"
    )
    faults.check(
      .leftovers,
      after.descriptors <= before.descriptors,
      "\(after.descriptors - before.descriptors) descriptors are left"
    )
    faults.check(
      .leftovers,
      after.threads <= before.threads + Self.threadTolerance,
      "\(after.threads - before.threads) threads are left"
    )
  }

  /// A difference between the caches of the threads that stay, however long the run is.
  private static let heapTolerance = 64 << 10
  /// Less than the smallest object: the longer the run is, the smaller a leak it notices.
  private static let heapTolerancePerEpoch = 8
  /// Memory that the allocator keeps: the number of its arenas grows with the threads that use it
  /// at once. The heap in use is the finer measure.
  private static let residentTolerance = 32 << 20
  /// Dispatch may just be using one thread more for the rest of the program.
  private static let threadTolerance = 1

  // MARK: Deliberate faults

  /// Leaves what an epoch must not leave, if that is the deliberate fault.
  func makeDeliberately() {
    if faults.makes(.memory) {
      memory.withLock { $0.append(Array(repeating: 1, count: 100_000)) }
    }
    if faults.makes(.descriptor) { _ = open("/dev/null", O_RDONLY) }
    if faults.makes(.thread) { Thread.detachNewThread { while true { sleep(3_600) } } }
  }
}

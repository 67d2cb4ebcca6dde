import Dispatch
import Foundation

/// A run of epochs, one after the other.
struct Soak {
  let seed: UInt64
  let threads: Int
  let steps: Int
  let faults = Faults()
  private let census = Census()
  private let watchdog = Watchdog(limit: .seconds(300))
  private var epoch: UInt64 = 0
  private let clock = ContinuousClock()
  private var lastReport: ContinuousClock.Instant

  init(seed: UInt64, threads: Int, steps: Int) {
    self.seed = seed
    self.threads = threads
    self.steps = steps
    lastReport = clock.now
  }

  /// Runs epochs for some time, until there is a fault.
  mutating func run(for duration: Duration, atLeast count: UInt64) async throws {
    let (start, end) = (clock.now, epoch + count)
    while clock.now - start < duration || epoch < end, faults.isEmpty {
      let checksBefore = faults.checks
      try await runEpoch()
      epoch += 1
      let checks = faults.checks - checksBefore
      faults.check(checks >= steps * threads, "only \(checks) checks")
      await waitForRelease()
      if clock.now - lastReport >= .seconds(10) {
        report(.current)
        lastReport = clock.now
      }
    }
  }

  private func runEpoch() async throws {
    let subject = "epoch \(epoch + 1) of seed \(seed)"
    faults.begin(subject)
    let world = try World(faults, census)
    watchdog.watch(subject) { [weak world] in
      world?.whatIsOpen ?? ""
    }
    let epochSeed = seed &+ epoch &* 1_000
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [threads, steps] in
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
          var worker = Worker(world, thread: thread, seed: epochSeed &+ UInt64(thread))
          worker.run(steps: steps)
        }
        continuation.resume()
      }
    }
    try await world.end()
  }

  /// Waits until everything that observers captured is released: a thread that is inside one of
  /// them, such as that of a timer, holds it a little longer.
  private func waitForRelease() async {
    let subject = "release after epoch \(epoch) of seed \(seed)"
    faults.begin(subject)
    watchdog.watch(subject) { [census] in
      "\(census.living) captured objects are left."
    }
    while census.living > 0 { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Returns what the process uses when the threads of Dispatch have ended, which takes some
  /// seconds, and with them what they had cached.
  func useWhenIdle() async -> ProcessUse {
    let subject = "idleness after epoch \(epoch) of seed \(seed)"
    faults.begin(subject)
    watchdog.watch(subject) {
      "\(ProcessUse.current.threads) threads are left, not \(Self.idleThreads)."
    }
    var use = ProcessUse.current
    while use.threads > Self.idleThreads {
      try? await Task.sleep(for: .milliseconds(100))
      use = .current
    }
    report(use)
    return use
  }

  /// The main thread, the watchdog's, those of the pool of Swift's tasks, and as many of
  /// Dispatch's, with the two of its timers.
  private static let idleThreads = 4 + 2 * ProcessInfo.processInfo.activeProcessorCount

  private func report(_ use: ProcessUse) {
    print(
      "\(epoch) epochs, \(faults.checks) checks, \(use.heap >> 10) KB in use,",
      "\(use.memory >> 10) KB resident, \(use.descriptors) descriptors, \(use.threads) threads"
    )
    fflush(nil)
  }

  /// Checks that nothing is left of the epochs between two times at which the process was idle.
  func check(_ before: ProcessUse, _ after: ProcessUse) {
    faults.check(
      after.heap <= before.heap + Self.heapTolerance,
      "memory in use grew from \(before.heap) to \(after.heap) bytes"
    )
    faults.check(
      after.descriptors <= before.descriptors,
      "\(after.descriptors - before.descriptors) descriptors are left"
    )
  }

  /// What the caches of the threads that stay may differ by.
  private static let heapTolerance = 256 << 10
}

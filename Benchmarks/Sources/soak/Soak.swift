import Foundation
import Synchronization

/// A run of epochs, one after the other.
struct Soak {
  let seed: UInt64
  let threads: Int
  let steps: Int
  let folder: String
  let faults: Faults
  private let issues: IssueCheck
  private let leftovers: Leftovers
  private let census = SharedCount()
  private let watchdog: Watchdog
  /// The number of epochs so far.
  private(set) var epoch: UInt64 = 0
  private let clock = ContinuousClock()
  private var lastReport: ContinuousClock.Instant

  /// - Parameters:
  ///   - folder: The folder for the files of the epochs.
  ///   - patience: The time after which something that waits counts as a fault.
  init(
    seed: UInt64,
    threads: Int,
    steps: Int,
    folder: String,
    patience: Duration,
    _ faults: Faults,
    _ issues: IssueCheck
  ) {
    self.seed = seed
    self.threads = threads
    self.steps = steps
    self.folder = folder
    self.faults = faults
    self.issues = issues
    leftovers = Leftovers(faults)
    watchdog = Watchdog(limit: patience)
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
      faults.check(.leftovers, checks >= steps * threads, "only \(checks) checks")
      await waitForRelease()
      leftovers.makeDeliberately()
      if clock.now - lastReport >= .seconds(10) {
        report(.current)
        lastReport = clock.now
      }
    }
  }

  private func runEpoch() async throws {
    let subject = "epoch \(epoch + 1) of seed \(seed)"
    faults.begin(subject)
    let world = try World(in: folder, faults, issues, census)
    watchdog.watch(subject) { [weak world] in
      world?.whatIsOpen ?? ""
    }
    let epochSeed = seed &+ epoch &* 1_000
    try world.start(seed: epochSeed &+ 500)
    async let main: Void = MainWorker(world, seed: epochSeed &+ 900).run(steps: steps / 4)
    // There may be more threads than processors, for which `concurrentPerform` would wait.
    let working = Atomic(threads)
    await withCheckedContinuation { continuation in
      for thread in 0..<threads {
        Thread { [steps] in
          var worker = Worker(world, thread: thread, seed: epochSeed &+ UInt64(thread))
          worker.run(steps: steps)
          let left = working.subtract(1, ordering: .acquiringAndReleasing).newValue
          if left == 0 { continuation.resume() }
        }.start()
      }
    }
    await main
    try await world.end()
  }

  /// Waits until everything that observers captured is released: a thread that is inside one of
  /// them, such as that of a timer, holds it a little longer.
  private func waitForRelease() async {
    let subject = "release after epoch \(epoch) of seed \(seed)"
    faults.begin(subject)
    watchdog.watch(subject) { [census] in
      "leftovers: \(census.value) captured objects are left."
    }
    while census.value > 0 { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Returns what the process uses when the threads of Dispatch have ended, and with them what they
  /// had cached.
  ///
  /// - Parameter earlier: What it used at an earlier time like that.
  func useWhenIdle(comparedWith earlier: ProcessUse? = nil) async -> ProcessUse {
    let subject = "idleness after epoch \(epoch) of seed \(seed)"
    faults.begin(subject)
    watchdog.watch(subject) { "\(ProcessUse.current.threads) threads are left." }
    let use = await leftovers.waitForIdleness(comparedWith: earlier)
    report(use)
    return use
  }

  private func report(_ use: ProcessUse) {
    print(
      "\(epoch) epochs, \(faults.checks) checks, \(use.heap >> 10) KB in use,",
      "\(use.memory >> 10) KB resident, \(use.descriptors) descriptors, \(use.threads) threads"
    )
    fflush(nil)
  }

  /// Checks that nothing is left of some epochs between two times at which the process was idle,
  /// and that each guarantee was checked.
  func check(_ before: ProcessUse, _ after: ProcessUse, epochs: Int) {
    leftovers.check(before, after, epochs: epochs)
    print("checks: \(faults.summary)")
    faults.checkCoverage()
  }
}

import ArgumentParser
import CHeapUse
import Foundation
import IssueReporting
import Synchronization

@main
struct SoakCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Uses the library at random on several threads, and checks the guarantees.",
    discussion: """
      It sends, observes, connects sources, waits, iterates, and counts down. Each epoch has \
      separate buses, which all threads use, and which end with it. Exits with 1 if a guarantee did not hold, if memory \
      grew, if a descriptor, a thread, or an object that an observer captured is left, or if \
      something waits for longer than `--patience`.

      The last lines are the growth of the memory, and the number of checks of each guarantee. The \
      benchmarks' README.md describes the checks.
      """
  )

  @Option(help: "The time to run, in seconds.")
  var seconds = 60

  @Option(help: "The number of threads.")
  var threads = max(4, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "The seed of the first epoch. The order of the threads differs in each run.")
  var seed = UInt64.random(in: 0...UInt64.max)

  @Option(help: "The number of things that each thread does in an epoch.")
  var steps = 2_000

  @Option(help: "The time after which something that waits counts as a fault, in seconds.")
  var patience = 300

  @Option(
    name: .customLong("break"),
    help: ArgumentHelp("A fault to make, to show that it is noticed.", visibility: .hidden)
  )
  var deliberateFault: DeliberateFault?

  func validate() throws {
    guard threads > 0 else { throw ValidationError("Specify at least one thread.") }
    guard steps >= 100 else { throw ValidationError("An epoch needs at least 100 steps.") }
  }

  func run() async throws {
    print("seed \(seed), \(threads) threads, \(seconds) s")
    // What ends the process at once does not write out what is buffered.
    fflush(nil)
    let faults = Faults(deliberate: deliberateFault)
    IssueReporters.current = [IssueCheck(faults: faults)]
    var soak = Soak(
      seed: seed,
      threads: threads,
      steps: steps,
      patience: .seconds(patience),
      faults
    )
    let quarter = Duration.seconds(seconds) / 4
    // The first quarter is to warm up.
    try await soak.run(for: quarter, atLeast: 5)
    guard faults.isEmpty else { throw ExitCode.failure }
    let (before, epoch) = (await soak.useWhenIdle(), soak.epoch)
    try await soak.run(for: quarter * 3, atLeast: 15)
    guard faults.isEmpty else { throw ExitCode.failure }
    let after = await soak.useWhenIdle(comparedWith: before)
    soak.check(before, after, epochs: Int(soak.epoch - epoch))
    guard faults.isEmpty else { throw ExitCode.failure }
  }
}

/// A run of epochs, one after the other.
struct Soak {
  let seed: UInt64
  let threads: Int
  let steps: Int
  let faults: Faults
  private let leftovers: Leftovers
  private let census = SharedCount()
  private let watchdog: Watchdog
  /// The number of epochs so far.
  private(set) var epoch: UInt64 = 0
  private let clock = ContinuousClock()
  private var lastReport: ContinuousClock.Instant

  /// - Parameters:
  ///   - patience: The time after which something that waits counts as a fault.
  init(
    seed: UInt64,
    threads: Int,
    steps: Int,
    patience: Duration,
    _ faults: Faults
  ) {
    self.seed = seed
    self.threads = threads
    self.steps = steps
    self.faults = faults
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
    let world = World(faults, census)
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

/// Ends the process if something takes so long that a wake-up must have been lost.
final class Watchdog: Sendable {
  private struct Watched {
    var subject: String
    var start: ContinuousClock.Instant
    var details: @Sendable () -> String
  }

  private let watched = Mutex<Watched?>(nil)

  init(limit: Duration) {
    // A thread, as those of Dispatch and of Swift's tasks may be the ones that wait.
    Thread.detachNewThread { [self] in
      while true {
        sleep(1)
        watched.withLock { watched in
          guard let watched, watched.start.duration(to: .now) > limit else { return }
          writeToStandardError("\(watched.subject): not over after \(limit).\n")
          // The details may wait for the same wake-up; the signal then ends the process.
          alarm(10)
          writeToStandardError("\(watched.details())\n")
          _exit(1)
        }
      }
    }
  }

  /// Watches a subject from now on, and the one before no longer.
  func watch(_ subject: String, details: @escaping @Sendable () -> String) {
    let new = Watched(subject: subject, start: .now, details: details)
    let old = watched.withLock { watched in
      defer { watched = new }
      return watched
    }
    withExtendedLifetime(old) {}
  }
}

/// The resources that this process uses.
struct ProcessUse {
  /// The bytes that are allocated and not freed.
  var heap: Int
  /// The memory that is resident, in bytes.
  var memory: Int
  var descriptors: Int
  var threads: Int

  static var current: Self {
    Self(
      heap: heap_bytes_in_use(),
      memory: memory,
      descriptors: entries(of: "/proc/self/fd"),
      threads: entries(of: "/proc/self/task")
    )
  }

  /// The second number of `statm`: the pages that are resident. See proc_pid_statm(5).
  private static var memory: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { fatalError("/proc/self/statm can't be read.") }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static func entries(of folder: String) -> Int {
    // It fails when there is no descriptor left.
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).count
    } catch {
      fatalError("\(folder) can't be listed: \(error)")
    }
  }
}

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

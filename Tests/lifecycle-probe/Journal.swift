import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleJournaling
import LifecycleProcess

/// Opens a journal and writes it as fast as it can, until it is killed. Prints what it is about to
/// record, and what it has recorded.
struct Journal: ParsableCommand {
  @Argument var path: String

  @Flag(help: "Opens the journal, and waits to be killed.")
  var hold = false

  @Option(help: "How far files may be written, in bytes, once the journal is open.")
  var fileSizeLimit: UInt?

  func run() throws {
    var number = 0
    while true {
      printLine("before opened \(number)")
      let bus = NonisolatedLifecycleBus()
      let journal = try open(bus)
      let previous = journal.previousRun
      number = (try journal.value(forKey: "number") ?? 0)
      printLine("after \(previous.exit) \(number)")
      if let damage = previous.damage { printLine("damage \(damage)") }
      if hold {
        let away = previous.timeAway ?? .zero
        printLine("away \(Int(away / .seconds(1))) \(previous.isClockTrusted)")
        while true { sleep(1_000) }
      }
      if let fileSizeLimit { try exceed(fileSizeLimit, bus, journal) }
      for _ in 0..<10 {
        for phase in [LifecyclePhase.active, .inactive, .background] {
          printLine("before \(phase) \(number)")
          bus.send(phase.input)
          printLine("after")
        }
        number += 1
        printLine("before background \(number)")
        try journal.set(number, forKey: "number")
        printLine("after")
      }
      printLine("before ended \(number)")
      journal.end()
      printLine("after")
    }
  }

  private func open(_ bus: NonisolatedLifecycleBus) throws -> LifecycleJournal {
    do throws(LifecycleJournal.OpenError) {
      return try LifecycleJournal(at: path, of: bus) { printLine("failure \($0)") }
    } catch {
      printLine("error \(error)")
      throw ExitCode.failure
    }
  }

  /// Makes the second slot unwritable from some byte on, then writable again.
  private func exceed(
    _ limit: UInt,
    _ bus: NonisolatedLifecycleBus,
    _ journal: LifecycleJournal
  ) throws {
    setSoftLimit(RLIMIT_FSIZE, to: rlim_t(limit))
    for kind in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground] {
      bus.send(kind)
      printLine("sent \(kind)")
    }
    do throws(LifecycleJournal.WriteError) {
      try journal.set(1, forKey: "number")
    } catch {
      printLine("thrown \(error)")
    }
    setSoftLimit(RLIMIT_FSIZE, to: .max)
    bus.send(.didBecomeActive)
    printLine("sent again")
    setSoftLimit(RLIMIT_FSIZE, to: rlim_t(limit))
    bus.send(.didEnterBackground)
    printLine("sent at last")
    kill(getpid(), SIGKILL)
  }
}

/// Opens a journal for each number, from 0 on, in a directory, and keeps none of them open.
struct Journals: ParsableCommand {
  @Argument var directory: String
  @Argument var count: Int

  func run() throws {
    printLine("ready")
    for number in 0..<count {
      _ = try LifecycleJournal(at: "\(directory)/\(number)", of: NonisolatedLifecycleBus())
      printLine("\(number)")
    }
    while true { sleep(1_000) }
  }
}

/// Restores a number, counts on, and saves it when it enters the background. Then it waits to be
/// killed.
struct SavedJournal: ParsableCommand {
  @Argument var path: String

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("run")
    let journal = try LifecycleJournal(at: path, of: bus)
    let number: Int = try journal.value(forKey: "number") ?? 0
    let sessions = LifecycleSessions(of: bus, in: journal, timeout: .seconds(1 << 20))
    printLine("restored \(number)")
    journal.saveNonisolatedValue(forKey: "number", in: scope) { number + 1 }
    journal.saveNonisolatedValue(forKey: "text", in: scope) { "\(number + 1)" }
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    printLine("background")
    // Optimized code would release them after their last use.
    withExtendedLifetime((scope, journal, sessions)) { while true { sleep(1_000) } }
  }
}

/// Opens a journal on a bus of process signals, becomes active, and dies in the way that is named.
struct Dying: ParsableCommand {
  @Argument var path: String
  @Argument var way: String

  func run() throws {
    // SIGTSTP does not stop an orphaned process group. That of the tests may be one.
    setpgid(0, 0)
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals())
    let file = URL(filePath: path)
    let isRelative = way == "directory"
    if isRelative { chdir(file.deletingLastPathComponent().path) }
    let journal = try LifecycleJournal(at: isRelative ? file.lastPathComponent : path, of: bus)
    if isRelative { chdir("/") }
    bus.send(.didBecomeActive)
    FileHandle.standardOutput.write(Data("active\n".utf8))
    switch way {
    case "return", "directory": break
    case "exit": Foundation.exit(0)
    case "_exit": _exit(0)
    case "child": dieAfterChild()
    case "end": journal.end()
    case "background":
      bus.send(.didEnterBackground)
      kill(getpid(), SIGKILL)
    case "SIGSEGV":
      signal(SIGSEGV, SIG_DFL)
      die(by: SIGSEGV)
    case "SIGTERM": die(by: SIGTERM)
    case "SIGSTOP": die(by: SIGSTOP)
    default: die(by: SIGTSTP)
    }
    withExtendedLifetime((connection, journal)) {}
  }

  private func die(by signal: CInt) {
    kill(getpid(), signal)
    while true { sleep(1_000) }
  }
}

/// Opens a journal, and starts a child that executes no other program. Prints the number of the
/// child.
struct ForkedJournal: ParsableCommand {
  @Argument var path: String

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let journal = try LifecycleJournal(at: path, of: bus)
    bus.send(.didBecomeActive)
    let child = forkProcess()
    while child == 0 { pause() }
    printLine("\(child)")
    withExtendedLifetime(journal) { while true { sleep(1_000) } }
  }
}

/// Starts a child that exits, and is killed after that.
func dieAfterChild() -> Never {
  let child = forkProcess()
  if child == 0 { exit(0) }
  waitpid(child, nil, 0)
  kill(getpid(), SIGKILL)
  while true { sleep(1_000) }
}

extension LifecyclePhase {
  fileprivate var input: LifecycleEvent.Kind {
    switch self {
    case .active: .didBecomeActive
    case .inactive: .willResignActive
    default: .didEnterBackground
    }
  }
}

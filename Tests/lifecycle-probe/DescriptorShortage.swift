import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleProcess
import LifecycleSystem
import LifecycleTerminal
import TestSupport

/// Connects each source of the system, and all of them together, or opens a terminal session, while
/// ever more descriptors may be opened, and prints the result, and how many descriptors are in use
/// meanwhile and after that.
struct DescriptorShortage: ParsableCommand {
  private static let most = 24

  @Flag(help: "Opens a terminal session, and connects no other source.")
  var terminal = false

  func run() throws {
    // Dispatch keeps what it opens for its first sources.
    if terminal { try TerminalSession().close() }
    let spare = try Self.fillDescriptors()
    if terminal {
      return attempt("terminalSession", spare) { _, scope in
        let session = try TerminalSession()
        LifecycleCancellable { session.close() }.store(in: scope)
      }
    }
    for source: any SystemSource in [
      .systemClock(), .processPauses(), .memoryPressure(),
    ] {
      attempt("\(source.name)", spare) { try $0.connect(source).store(in: $1) }
    }
    attempt("connectSystem", spare) { try $0.connectSystem(in: $1) }
  }

  private func attempt(
    _ name: String,
    _ spare: [CInt],
    _ connect: (NonisolatedLifecycleBus, LifecycleScope) throws -> Void
  ) {
    for count in 0...Self.most {
      for descriptor in spare.prefix(count) { close(descriptor) }
      let result = Self.result(of: connect)
      let after = Self.freeCount(of: spare.prefix(count))
      for descriptor in spare.prefix(count) { dup2(0, descriptor) }
      emit(.note("\(name) \(count): \(result); after that, \(count - after) are open"))
    }
  }

  private static func result(
    of connect: (NonisolatedLifecycleBus, LifecycleScope) throws -> Void
  ) -> String {
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("shortage")
    defer { scope.end() }
    let before = openCount
    do {
      try connect(bus, scope)
      return "\(openCount - before) opened"
    } catch {
      let participants = bus.diagnostics.participants
      return participants.isEmpty ? "\(error)" : "\(participants) in spite of \(error)"
    }
  }

  /// The number of descriptors below the limit that are open.
  private static var openCount: Int { (0..<limit).count { isOpen($0) } }

  private static func freeCount(of descriptors: ArraySlice<CInt>) -> Int {
    descriptors.count { !isOpen($0) }
  }

  /// A Boolean value that indicates whether a descriptor is open, apart from the one with which
  /// Dispatch looks at its threads once a second.
  private static func isOpen(_ descriptor: CInt) -> Bool {
    let link = "/proc/self/fd/\(descriptor)"
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      return false
    }
    return target.wholeMatch(of: #//proc/\d+/stat/#) == nil
  }

  private static let limit: CInt = 64

  /// Opens all descriptors that the process may have, and returns those that may be closed.
  private static func fillDescriptors() throws -> [CInt] {
    setSoftLimit(RLIMIT_NOFILE, to: rlim_t(limit))
    var spare: [CInt] = []
    while case let descriptor = dup(0), descriptor >= 0 { spare.append(descriptor) }
    return spare
  }
}

/// Connects the process's signals while few more threads can be created, and prints the result.
///
/// The limit applies to users without privileges only, so it becomes one that has no other process.
struct ThreadShortage: ParsableCommand {
  @Argument(help: "The number of threads that may be created.") var left: Int

  func run() throws {
    setSoftLimit(__RLIMIT_NPROC, to: rlim_t(1 + left))
    guard setuid(0x7afe_0000 + uid_t(getpid())) == 0 else { throw ExitCode(2) }
    // Ends a process that waits.
    alarm(60)
    do {
      let connection = try NonisolatedLifecycleBus().connect(.processSignals())
      printLine("connected")
      connection.cancel()
    } catch {
      printLine("\(error)")
    }
    _exit(0)
  }
}

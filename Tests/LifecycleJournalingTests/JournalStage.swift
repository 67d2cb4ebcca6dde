import Foundation
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A directory of its own for a test's journal, and what is in it.
final class JournalStage: Sendable {
  private let folder = TemporaryDirectory()

  var directory: String { folder.path }
  var path: String { folder.path("state") }

  /// What the file holds.
  var bytes: [UInt8] {
    get { Self.bytes(at: path) }
    set { Self.write(newValue, to: path) }
  }

  static func bytes(at path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map(Array.init) ?? []
  }

  static func write(_ bytes: [UInt8], to path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }

  /// The names of the files in the directory.
  var names: [String] { folder.names }

  /// Does something while the file, which a journal has open, can't be written to. It must stay open.
  func refusingWrites<Result>(_ body: () throws -> Result) throws -> Result {
    var named = stat()
    let descriptor = try #require(
      (3..<CInt(4096)).first { candidate in
        var status = stat()
        return stat(path, &named) == 0 && fstat(candidate, &status) == 0
          && status.st_ino == named.st_ino && status.st_dev == named.st_dev
      }
    )
    // The lock stays with the copy meanwhile.
    let copy = dup(descriptor)
    let readable = open(path, O_RDONLY)
    dup2(readable, descriptor)
    defer {
      dup2(copy, descriptor)
      close(copy)
      close(readable)
    }
    return try body()
  }

  /// A run of a program that opens the journal, sends these inputs, and is killed.
  @discardableResult
  func run(
    _ clock: ManualClock = ManualClock(),
    _ kinds: LifecycleEvent.Kind...
  ) throws -> LifecycleJournal.PreviousRun {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: path, of: bus)
    for kind in kinds { bus.send(kind) }
    return withExtendedLifetime(journal) { journal.previousRun }
  }
}

extension ManualClock {
  /// The clock after a restart of the machine, when the wall clock shows that much more.
  func afterRestart(wallLater shift: Duration) -> ManualClock {
    ManualClock(
      LifecycleInstant(
        continuous: .boot + .seconds(5),
        timeAwake: .seconds(5),
        timeSince1970: now.timeSince1970 + shift
      ),
      bootID: BootID(rawValue: "another")
    )
  }
}

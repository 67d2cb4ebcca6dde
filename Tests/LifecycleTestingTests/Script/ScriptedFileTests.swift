import CustomDump
import Foundation
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Journals of a scripted process in files of the system.
@Suite("Scripted lifecycle: files of the system")
@MainActor
struct ScriptedFileTests {
  private let folder = TemporaryDirectory()
  private let lifecycle = ScriptedLifecycle(
    fileSystem: JournalFileSystem(SystemJournalFileSystem(yieldsLock: true))
  )

  init() {
    lifecycle.perform(.launch)
  }

  private func open(_ path: String? = nil) throws(LifecycleJournal.OpenError) -> LifecycleJournal {
    try LifecycleJournal(
      at: path ?? folder.path("state"),
      of: lifecycle.bus,
      fileSystem: lifecycle.fileSystem
    )
  }

  @Test("A file that is in use, and a directory, are refused")
  func refusedFiles() throws {
    let journal = try open()
    let inUse = LifecycleJournal.OpenError.inUse(path: folder.path("state"), processID: getpid())
    #expect(throws: inUse) { try open() }
    let directory = LifecycleJournal.OpenError.notARegularFile(path: folder.path, .directory)
    #expect(throws: directory) { try open(folder.path) }
    withExtendedLifetime(journal) {}
  }

  @Test("A damaged file is copied")
  func damagedFile() throws {
    folder.write([1, 2, 3], to: "state")
    let journal = try open()
    expectNoDifference(journal.previousRun.damage?.setAside, folder.path("state.damaged"))
    expectNoDifference(folder.bytes("state.damaged"), [1, 2, 3])
  }

  /// A Boolean value that indicates whether another process could lock the file.
  private var isFree: Bool {
    let descriptor = Foundation.open(folder.path("state"), O_RDWR)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  @Test("A file is locked again in the foreground, and a kill unlocks it for good")
  func lockedAgain() throws {
    let journal = try open()
    var free: [Bool] = []
    for step: LifecycleStep in [.becomeActive, .enterBackground, .enterForeground] {
      lifecycle.perform(step)
      free.append(isFree)
    }
    expectNoDifference(free, [false, true, false])
    lifecycle.perform(.enterBackground, .kill)
    let bytes = folder.bytes("state")
    // The process may still call, with no effect.
    try journal.set(1, forKey: "late")
    #expect(isFree)
    expectNoDifference(folder.bytes("state"), bytes)
  }
}

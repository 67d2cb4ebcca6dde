import CustomDump
import Foundation
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What is found at the path of a journal.
@Suite("Journal: opening")
struct JournalOpeningTests {
  typealias OpenError = LifecycleJournal.OpenError
  typealias PreviousRun = LifecycleJournal.PreviousRun

  private let stage = JournalStage()
  private let clock = ManualClock()

  private func openError(at path: String? = nil) -> OpenError? {
    do throws(OpenError) {
      _ = try LifecycleJournal(
        at: path ?? stage.path,
        of: NonisolatedLifecycleBus(clock: clock)
      )
      return nil
    } catch {
      return error
    }
  }

  @Test("A new file can be read and written by its user alone, and nothing else is left")
  func newFile() throws {
    try stage.run(clock)
    #expect(try permissions(of: stage.path) == 0o600)
    expectNoDifference(stage.names, ["state"])
  }

  @Test("An empty file, as mktemp makes, is a first launch; it stays the same")
  func emptyFile() throws {
    stage.bytes = []
    chmod(stage.path, 0o644)
    let inode = try inode(of: stage.path)
    expectNoDifference(try stage.run(clock, .didBecomeActive), PreviousRun(exit: .firstLaunch))
    expectNoDifference(try stage.run(clock).exit, .killedInForeground)
    #expect(try inode == self.inode(of: stage.path))
    #expect(try permissions(of: stage.path) == 0o644)
    expectNoDifference(stage.names, ["state"])
  }

  private func permissions(of path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?
      .intValue
  }

  private func inode(of path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?
      .intValue
  }

  @Test(
    "A setting of the system, which says that it is an empty file, is none, and not written to",
    .enabled(if: access(systemSetting, R_OK | W_OK) == 0, "there is no /proc to write to")
  )
  func settingOfTheSystemIsRefused() throws {
    expectNoDifference(openError(at: systemSetting), .notARegularFile(path: systemSetting, .other))
  }

  @Test("A second journal on the file is refused, and the first one not disturbed")
  func inUse() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let first = try LifecycleJournal(at: stage.path, of: bus)
    let bytes = stage.bytes
    let error = openError()
    expectNoDifference(error, .inUse(path: stage.path, processID: getpid()))
    expectNoDifference(
      error?.description,
      """
      The journal \(stage.path) is in use by process \(getpid()). Close it there, or use a \
      separate file for each process.
      """
    )
    expectNoDifference(stage.bytes, bytes)
    bus.send(.didBecomeActive)
    withExtendedLifetime(first) {}
  }

  @Test("A file that is in use and can't be read is refused all the same")
  func inUseAndDamaged() throws {
    let first = try LifecycleJournal(at: stage.path, of: NonisolatedLifecycleBus(clock: clock))
    let file = FileHandle(forWritingAtPath: stage.path)
    try file?.write(contentsOf: Data([1, 2, 3]))
    expectNoDifference(openError(), .inUse(path: stage.path, processID: nil))
    expectNoDifference(stage.names, ["state"])
    withExtendedLifetime(first) {}
  }

  @Test(
    "A path to something else than a file is refused",
    arguments: ["directory", "pipe", "device", "socket"]
  )
  func otherKinds(_ name: String) throws {
    let kind = LifecycleJournal.FileKind(rawValue: name)!
    var path = stage.path
    var listener: CInt = -1
    switch kind {
    case .directory: mkdir(path, 0o700)
    case .pipe: mkfifo(path, 0o600)
    case .device: path = "/dev/null"
    default:
      listener = try UnixSocket.bind(.stream, to: path)
    }
    let error = openError(at: path)
    if listener >= 0 { close(listener) }
    expectNoDifference(error, .notARegularFile(path: path, kind))
    expectNoDifference(
      error?.description,
      """
      The journal \(path) can't be opened: it is a \(name). Pass the path of a regular file or of \
      a new one.
      """
    )
  }

  @Test("A directory that is missing is named")
  func missingDirectory() {
    let path = stage.directory + "/none/state"
    let error = openError(at: path)
    expectNoDifference(error, .cannotOpen(path: path, errno: ENOENT))
    expectNoDifference(
      error?.description,
      """
      The journal \(path) can't be opened: No such file or directory. Create the directory \
      \(stage.directory)/none first.
      """
    )
    #expect(stage.names.isEmpty)
  }

  @Test("A file in the place of a directory is an error of the system")
  func fileAsDirectory() {
    stage.bytes = [1]
    let path = stage.path + "/state"
    expectNoDifference(openError(at: path), .cannotOpen(path: path, errno: ENOTDIR))
  }

  @Test("A symbolic link is followed, and stays one")
  func symbolicLink() throws {
    try stage.run(clock, .didBecomeActive)
    let link = stage.directory + "/link"
    symlink("state", link)
    let journal = try LifecycleJournal(at: link, of: NonisolatedLifecycleBus(clock: clock))
    expectNoDifference(journal.previousRun.exit, .killedInForeground)
    // It is one file by both names.
    expectNoDifference(openError(), .inUse(path: stage.path, processID: getpid()))
    expectNoDifference(stage.names, ["link", "state"])
  }

  @Test("A symbolic link to a file that is not there yet has it made")
  func danglingLink() throws {
    let link = stage.directory + "/link"
    symlink("state", link)
    let journal = try LifecycleJournal(at: link, of: NonisolatedLifecycleBus(clock: clock))
    expectNoDifference(journal.previousRun.exit, .firstLaunch)
    expectNoDifference(stage.names, ["link", "state"])
    expectNoDifference(stage.bytes.count, 8192)
    #expect(try permissions(of: stage.path) == 0o600)
  }

  @Test("Symbolic links that lead in a circle are an error of the system")
  func circleOfSymbolicLinks() {
    symlink("state", stage.path)
    expectNoDifference(openError(), .cannotOpen(path: stage.path, errno: ELOOP))
  }

  @Test("A path without a directory is one in the current directory")
  func bareName() {
    expectNoDifference(openError(at: ""), .cannotOpen(path: "", errno: ENOENT))
  }

  @Test("A file that was replaced under a running journal is another file")
  func replacedFileIsAnotherFile() throws {
    let first = try LifecycleJournal(at: stage.path, of: NonisolatedLifecycleBus(clock: clock))
    try FileManager.default.removeItem(atPath: stage.path)
    expectNoDifference(try stage.run(clock).exit, .firstLaunch)
    withExtendedLifetime(first) {}
  }

  // MARK: Damage

  private static let foreign: [(String, [UInt8], LifecycleJournal.Damage.Problem)] = [
    ("text", Array("Dear diary,\n".utf8), .noRecord),
    ("one zero", [0], .noRecord),
    ("zeros", [UInt8](repeating: 0, count: 8191), .noRecord),
    ("more zeros", [UInt8](repeating: 0, count: 8193), .noRecord),
    ("ones", [UInt8](repeating: 1, count: 8192), .noRecord),
    ("huge", [UInt8](repeating: 7, count: 3_000_001), .noRecord),
  ]

  @Test("A foreign file is copied before it is overwritten", arguments: 0..<6)
  func foreignFile(_ index: Int) throws {
    let (_, bytes, problem) = Self.foreign[index]
    stage.bytes = bytes
    let inode = try inode(of: stage.path)
    let damage = LifecycleJournal.Damage(
      path: stage.path,
      offset: 0,
      problem: problem,
      setAside: stage.path + ".damaged"
    )
    expectNoDifference(
      try stage.run(clock, .didBecomeActive),
      PreviousRun(exit: .unknown, damage: damage)
    )
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged"), bytes)
    expectNoDifference(stage.bytes.count, 8192)
    #expect(try inode == self.inode(of: stage.path))
    clock.advance(by: .seconds(2))
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .killedInForeground, timeAway: .seconds(2))
    )
    expectNoDifference(stage.names, ["state", "state.damaged"])
  }

  @Test("A hole of a foreign file stays one in its copy, which takes no more room than that file")
  func holeOfForeignFileStaysHoleInCopy() throws {
    stage.bytes = [1, 2, 3]
    let size = 1 << 23
    truncate(stage.path, off_t(size - 1))
    let end = try #require(FileHandle(forWritingAtPath: stage.path))
    try end.seekToEnd()
    try end.write(contentsOf: [4])
    let damage = try #require(try stage.run(clock).damage)
    let copy = try #require(FileHandle(forReadingAtPath: damage.setAside))
    var status = stat()
    expectNoDifference(fstat(copy.fileDescriptor, &status), 0)
    expectNoDifference(Int(status.st_size), size)
    #expect(Int(status.st_blocks) * 512 < 1 << 20)
    expectNoDifference(try copy.read(upToCount: 4), Data([1, 2, 3, 0]))
    try copy.seek(toOffset: UInt64(size - 2))
    expectNoDifference(try copy.readToEnd(), Data([0, 4]))
  }

  @Test("A hole at the end stays, too")
  func holeAtTheEnd() throws {
    stage.bytes = [1]
    truncate(stage.path, 1 << 20)
    let damage = try #require(try stage.run(clock).damage)
    let bytes = [1] + [UInt8](repeating: 0, count: (1 << 20) - 1)
    expectNoDifference(JournalStage.bytes(at: damage.setAside), bytes)
  }

  @Test("Random bytes are a foreign file, whatever they are")
  func randomFiles() throws {
    for _ in 0..<30 {
      let bytes = (0..<Int.random(in: 1...20_000)).map { _ in UInt8.random(in: 0...255) }
      stage.bytes = bytes
      let previous = try stage.run(clock)
      expectNoDifference(previous.exit, .unknown)
      expectNoDifference(JournalStage.bytes(at: previous.damage!.setAside), bytes)
    }
    expectNoDifference(stage.names.count, 31)
    #expect(stage.names.contains("state.damaged-30"))
  }

  @Test("A copy never takes the place of an earlier one, nor of anything else")
  func namesAreTaken() throws {
    for suffix in ["", "-2"] { JournalStage.write([9], to: stage.path + ".damaged" + suffix) }
    symlink("nowhere", stage.path + ".damaged-3")
    stage.bytes = [1, 2, 3]
    expectNoDifference(try stage.run(clock).damage?.setAside, stage.path + ".damaged-4")
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged"), [9])
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged-2"), [9])
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged-4"), [1, 2, 3])
  }

  @Test("Values are kept from what can be read", arguments: [0, 1])
  func valuesOfADamagedFile(slot: Int) throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      try journal.set("kept", forKey: "value")
      bus.send(.didBecomeActive)
      expectNoDifference(journal.runNumber, 1)
    }
    stage.bytes[slot * 4096 + 100] ^= 1
    let journal = try LifecycleJournal(
      at: stage.path,
      of: NonisolatedLifecycleBus(clock: clock)
    )
    expectNoDifference(journal.previousRun.exit, .unknown)
    expectNoDifference(journal.previousRun.damage?.problem, .wrongChecksum)
    expectNoDifference(try journal.value(String.self, forKey: "value"), "kept")
    expectNoDifference(journal.runNumber, 2)
  }

  @Test("A damaged file that can't be copied stays as it is")
  func cannotSetAside() {
    // The name of the copy would be longer than a name may be.
    let path = stage.directory + "/" + String(repeating: "n", count: 250)
    JournalStage.write([1, 2, 3], to: path)
    let error = openError(at: path)
    expectNoDifference(
      error,
      .cannotSetAside(path: path, offset: 0, problem: .noRecord, errno: ENAMETOOLONG)
    )
    expectNoDifference(
      error?.description,
      """
      \(path) is damaged or is not a journal: at byte 0, a journal record was expected but not \
      found. The file was left unchanged because its bytes can't be copied to a new file next to \
      it: File name too long. Move the file, or resolve that error.
      """
    )
    expectNoDifference(JournalStage.bytes(at: path), [1, 2, 3])
    expectNoDifference(stage.names.count, 1)
  }

  @Test("Every beginning of a write, in a real file, is taken for what was before it")
  func tornFiles() throws {
    try stage.run(clock, .didBecomeActive)
    let before = stage.bytes
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      withExtendedLifetime(journal) {}
    }
    let after = stage.bytes
    let changed = zip(before, after).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    let slot = changed[0] / 4096 * 4096
    let end = slot + 32 + Int(after[slot + 8]) + Int(after[slot + 9]) << 8
    #expect(end - slot > 100 && end - slot < 400)
    for cut in slot...end {
      stage.bytes =
        after[slot..<cut].reduce(into: (before, slot)) {
          $0.0[$0.1] = $1; $0.1 += 1
        }.0
      let expected: LifecycleJournal.PreviousExit =
        stage.bytes[slot...].starts(with: after[slot..<(end - 8)])
        ? .killedInBackground : .killedInForeground
      let exit = try stage.run(clock).exit
      expectNoDifference(exit, expected, "cut at \(cut - slot) of \(end - slot)")
    }
    expectNoDifference(stage.names, ["state"])
  }
}

/// One of this process alone, which refuses a journal's bytes.
private let systemSetting = "/proc/self/coredump_filter"

import CustomDump
import Foundation
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

/// What is found at the path of a journal.
@Suite("Journal: opening")
struct JournalOpeningTests {
  typealias OpenError = LifecycleJournal.OpenError
  typealias PreviousRun = LifecycleJournal.PreviousRun

  private let stage = JournalStage()
  private let clock = ManualClock()

  private func openError(at path: String? = nil) -> OpenError? {
    #expect(throws: OpenError.self) {
      try LifecycleJournal(at: path ?? stage.path, of: NonisolatedLifecycleBus(clock: clock))
    }
  }

  @Test("A new file can be read and written by its user alone, and nothing else is left")
  func newFile() throws {
    try stage.run(clock)
    #expect(try permissions(of: stage.path) == 0o600)
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
    "A file of /proc whose size is zero is refused as no regular file, and not written to",
    .enabled(if: access(systemSetting, R_OK | W_OK) == 0, "there is no /proc to write to")
  )
  func settingOfTheSystemIsRefused() throws {
    expectNoDifference(openError(at: systemSetting), .notARegularFile(path: systemSetting, .other))
  }

  @Test(
    "A file that can't be read while the device is locked throws protectedDataUnavailable",
    arguments: [EPERM, EACCES]
  )
  func deviceIsLocked(_ errno: Int32) throws {
    let files = InMemoryFileSystem()
    let bus = NonisolatedLifecycleBus(clock: clock)
    func openError() -> OpenError? {
      files.failNext(.open, errno: errno)
      return #expect(throws: OpenError.self) {
        try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
      }
    }
    expectNoDifference(openError(), .cannotOpen(path: "/state", errno: errno))
    bus.send(.protectedDataWillBecomeUnavailable)
    let error = openError()
    expectNoDifference(error, .protectedDataUnavailable(path: "/state"))
    expectNoDifference(
      error?.description,
      """
      The journal /state can't be read because the device is locked, or was not unlocked since it \
      was started. Wait with "try await bus.waitForProtectedData()", and open it again.
      """
    )
    files.failNext(.open, errno: ENOENT)
    #expect(throws: OpenError.cannotOpen(path: "/state", errno: ENOENT)) {
      try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
    }
  }

  @Test("An entry is synchronized before another is overwritten, and damage is written over first")
  func synchronizedFirst() throws {
    let files = NotingFileSystem()
    func callsOfOpening() throws -> [String] {
      _ = files.take()
      let (bus, fileSystem) = (NonisolatedLifecycleBus(clock: clock), JournalFileSystem(files))
      let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: fileSystem)
      return withExtendedLifetime(journal) { files.take().map(\.name) }
    }
    _ = try callsOfOpening()
    let write = ["wrote", "synchronized"]
    expectNoDifference(try callsOfOpening(), ["made", "synchronized"] + write + ["unlocked"])
    files.base.setContents([1, 2, 3], of: "/state")
    expectNoDifference(
      try callsOfOpening(),
      ["made"] + write + write + write + ["synchronized", "unlocked"]
    )
  }

  @Test("A second journal on the file is refused, also if the file can't be read any more")
  func inUse() throws {
    let first = try LifecycleJournal(at: stage.path, of: NonisolatedLifecycleBus(clock: clock))
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
    try FileHandle(forWritingAtPath: stage.path)?.write(contentsOf: Data([1, 2, 3]))
    expectNoDifference(openError(), .inUse(path: stage.path, processID: nil))
    expectNoDifference(stage.names, ["state"])
    withExtendedLifetime(first) {}
  }

  @Test(
    "A directory, a pipe, a device and a socket are refused",
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

  #if os(Linux)
    @Test("An anonymous inode of the kernel is refused")
    func noKindOfFile() throws {
      let queue = inotify_init1(CInt(IN_CLOEXEC))
      defer { close(queue) }
      let path = "/proc/self/fd/\(queue)"
      expectNoDifference(openError(at: path), .notARegularFile(path: path, .other))
    }
  #endif

  @Test("A missing directory and a cycle of symbolic links throw cannotOpen")
  func errorsOfTheSystem() {
    let path = stage.directory + "/none/state"
    expectNoDifference(openError(at: path), .cannotOpen(path: path, errno: ENOENT))
    symlink("state", stage.path)
    expectNoDifference(openError(), .cannotOpen(path: stage.path, errno: ELOOP))
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

  @Test("Opening a symbolic link to a missing file creates the file")
  func danglingLink() throws {
    let link = stage.directory + "/link"
    symlink("state", link)
    let journal = try LifecycleJournal(at: link, of: NonisolatedLifecycleBus(clock: clock))
    expectNoDifference(journal.previousRun.exit, .firstLaunch)
    expectNoDifference(stage.names, ["link", "state"])
    expectNoDifference(stage.bytes.count, 8192)
    #expect(try permissions(of: stage.path) == 0o600)
  }

  @Test("A file that was replaced under a running journal is another file")
  func replacedFileIsAnotherFile() throws {
    let first = try LifecycleJournal(at: stage.path, of: NonisolatedLifecycleBus(clock: clock))
    try FileManager.default.removeItem(atPath: stage.path)
    expectNoDifference(try stage.run(clock).exit, .firstLaunch)
    withExtendedLifetime(first) {}
  }

  // MARK: Damage

  @Test("A foreign file is copied before it is overwritten", arguments: [12, 8191, 3_000_001])
  func foreignFile(size: Int) throws {
    let bytes = [UInt8](repeating: size == 8191 ? 0 : 7, count: size)
    stage.bytes = bytes
    let inode = try inode(of: stage.path)
    let damage = LifecycleJournal.Damage(
      path: stage.path,
      offset: 0,
      problem: .noEntry,
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

  @Test("A copy that can't appear as a whole is made under its name, unless that is taken")
  func copyUnderName() throws {
    stage.bytes = [1, 2, 3]
    func copy(_ flags: CInt = O_RDWR) throws -> Bool {
      try OpenFile(stage.path, flags).copyUnderName(to: stage.path + "-2")
    }
    // It can't be read: nothing is left of the copy.
    #expect(throws: JournalFileError(errno: EBADF)) { try copy(O_WRONLY) }
    expectNoDifference(stage.names, ["state"])
    #expect(try copy())
    expectNoDifference(JournalStage.bytes(at: stage.path + "-2"), [1, 2, 3])
    stage.bytes = [4]
    #expect(try !copy())
    expectNoDifference(JournalStage.bytes(at: stage.path + "-2"), [1, 2, 3])
  }

  @Test("A hole in a foreign file takes no space in its copy")
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

  @Test("A copy of a damaged file never replaces another file")
  func namesAreTaken() throws {
    for suffix in ["", "-2"] { JournalStage.write([9], to: stage.path + ".damaged" + suffix) }
    symlink("nowhere", stage.path + ".damaged-3")
    stage.bytes = [1, 2, 3]
    expectNoDifference(try stage.run(clock).damage?.setAside, stage.path + ".damaged-4")
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged"), [9])
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged-2"), [9])
    expectNoDifference(JournalStage.bytes(at: stage.path + ".damaged-4"), [1, 2, 3])
  }

  @Test("The values of a damaged file are kept if one entry can be read", arguments: [0, 1])
  func valuesOfADamagedFile(slot: Int) throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      try journal.set("kept", forKey: "value")
      bus.send(.didBecomeActive)
      expectNoDifference(journal.runNumber, 1)
    }
    stage.bytes[slot * 4096 + 100] ^= 1
    let journal = try LifecycleJournal(at: stage.path, of: NonisolatedLifecycleBus(clock: clock))
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
      .cannotSetAside(path: path, offset: 0, problem: .noEntry, errno: ENAMETOOLONG)
    )
    expectNoDifference(
      error?.description,
      """
      \(path) is damaged or is not a journal: at byte 0, a journal entry was expected but not \
      found. The file was left unchanged because its bytes can't be copied to a new file next to \
      it: File name too long. Move the file, or resolve that error.
      """
    )
    expectNoDifference(JournalStage.bytes(at: path), [1, 2, 3])
    expectNoDifference(stage.names.count, 1)
  }
}

/// One of this process alone, which refuses a journal's bytes.
private let systemSetting = "/proc/self/coredump_filter"

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A journal's file, open, locked, and with the first record of this run in it.
struct JournalFile: Sendable {
  let file: OpenFile
  var machine: JournalMachine
  /// What the file held before.
  let previous: Previous

  enum Previous: Sendable {
    case nothing
    case record(JournalRecord)
    case damaged(LifecycleJournal.Damage)
  }

  /// Writes the record, durably.
  static func perform(_ write: JournalMachine.Write, _ file: OpenFile) throws(SystemError) {
    try file.write(write.bytes, at: write.offset)
    try file.synchronize()
  }
}

extension JournalFile {
  /// Opens the file, or makes one.
  ///
  /// - Parameters:
  ///   - path: Where it is. Symbolic links are followed.
  ///   - makeRecord: The first record of this run, given the newest one that can be read.
  init(
    at path: String,
    _ makeRecord: (JournalRecord?) -> JournalRecord
  ) throws(LifecycleJournal.OpenError) {
    do {
      // Other processes may make, remove or replace the file meanwhile.
      for attempt in 0..<100 {
        if let made = try Self.make(at: path, isFirst: attempt == 0, makeRecord) {
          self = made
          return
        }
      }
      throw LifecycleJournal.OpenError.cannotOpen(path: path, errno: EAGAIN)
    } catch let error as LifecycleJournal.OpenError {
      throw error
    } catch let error as SystemError {
      throw .cannotOpen(path: path, errno: error.code)
    } catch {
      throw .cannotOpen(path: path, errno: EIO)
    }
  }

  /// Nil if it has to be tried once more.
  private static func make(
    at path: String,
    isFirst: Bool,
    _ makeRecord: (JournalRecord?) -> JournalRecord
  ) throws -> JournalFile? {
    // Opening a device may do something.
    try checkKind(at: path)
    let file: OpenFile
    do {
      file = try OpenFile(path, O_RDWR | O_NONBLOCK)
    } catch {
      try checkKind(at: path)
      guard error.code == ENOENT else { throw error }
      if isFirst {
        switch try create(at: path, makeRecord) {
        case .created(let journal): return journal
        case .exists: return nil
        case .unsupported: break
        }
      }
      // Also through a symbolic link that leads to nothing yet.
      file = try OpenFile(path, O_RDWR | O_NONBLOCK | O_CREAT)
    }
    try check(file.status, path)
    guard try file.lock() else {
      throw LifecycleJournal.OpenError.inUse(path: path, processID: owner(of: file))
    }
    return try file.isAt(path) ? begin(file, path, makeRecord) : nil
  }

  private enum Creation {
    case created(JournalFile)
    case exists
    case unsupported
  }

  /// Makes a file that is locked, and whole, when it appears.
  private static func create(
    at path: String,
    _ makeRecord: (JournalRecord?) -> JournalRecord
  ) throws(SystemError) -> Creation {
    let write = JournalMachine.firstWrite(of: makeRecord(nil))
    let outcome = try WholeFile.create(at: path) { file throws(SystemError) in
      _ = try file.lock()
      try fill(file)
      try perform(write, file)
    }
    switch outcome {
    case .created(let file):
      let machine = JournalMachine(write.record, generation: write.generation)
      return .created(JournalFile(file: file, machine: machine, previous: .nothing))
    case .exists: return .exists
    case .unsupported: return .unsupported
    }
  }

  /// Gives an empty file its size and its blocks, so that later writes need no room on the disk.
  private static func fill(_ file: OpenFile) throws(SystemError) {
    // The size first: zeros of that size mean that nothing was recorded yet.
    try file.setSize(JournalSlot.fileSize)
    try file.write([UInt8](repeating: 0, count: JournalSlot.fileSize), at: 0)
  }

  /// Reads the file, and writes the first record of this run.
  private static func begin(
    _ file: OpenFile,
    _ path: String,
    _ makeRecord: (JournalRecord?) -> JournalRecord
  ) throws -> JournalFile {
    let size = Int(try file.status.st_size)
    let bytes = try file.read(JournalSlot.fileSize, at: 0)
    // The system's own settings (`/proc/sys`) say that they are empty files. To write there is to
    // change them.
    guard size > 0 || bytes.isEmpty else {
      throw LifecycleJournal.OpenError.notARegularFile(path: path, .other)
    }
    switch JournalContents(bytes, size: size) {
    case .nothing:
      return try begin(file, afterNothingIn: path, size: size, makeRecord(nil))
    case .record(let previous, let generation):
      var machine = JournalMachine(previous, generation: generation)
      let write = machine.write(of: makeRecord(previous))
      try perform(write, file)
      machine.didWrite(write)
      return JournalFile(file: file, machine: machine, previous: .record(previous))
    case .damaged(let offset, let problem, let readable, let generation):
      var damage = LifecycleJournal.Damage(
        path: path,
        offset: offset,
        problem: problem,
        setAside: path
      )
      do {
        damage.setAside = try WholeFile.setAside(file, of: path)
      } catch {
        throw LifecycleJournal.OpenError.cannotSetAside(
          path: path,
          offset: offset,
          problem: problem,
          errno: error.code
        )
      }
      return JournalFile(
        file: file,
        machine: try repair(file, makeRecord(readable), after: generation),
        previous: .damaged(damage)
      )
    }
  }

  private static func begin(
    _ file: OpenFile,
    afterNothingIn path: String,
    size: Int,
    _ record: JournalRecord
  ) throws -> JournalFile {
    let write = JournalMachine.firstWrite(of: record)
    do {
      try fill(file)
      try perform(write, file)
    } catch {
      // An empty file is to stay one.
      if size == 0 { try? file.setSize(0) }
      throw error
    }
    synchronizeDirectory(of: path)
    let machine = JournalMachine(record, generation: write.generation)
    return JournalFile(file: file, machine: machine, previous: .nothing)
  }

  /// Makes a journal of a file whose bytes are safe.
  private static func repair(
    _ file: OpenFile,
    _ record: JournalRecord,
    after generation: UInt64
  ) throws -> JournalMachine {
    var machine = JournalMachine(record, generation: generation)
    try file.write(JournalMachine.invalidation, at: 0)
    try file.synchronize()
    for write in JournalMachine.repair(record, after: generation) {
      // The rest of the slot is of no use to anybody.
      let rest = JournalSlot.size - write.bytes.count
      try file.write(write.bytes + [UInt8](repeating: 0, count: rest), at: write.offset)
      try file.synchronize()
      machine.didWrite(write)
    }
    try file.setSize(JournalSlot.fileSize)
    try file.synchronize()
    return machine
  }

  // MARK: Refusals

  private static func checkKind(at path: String) throws {
    var status = stat()
    if fstatat(AT_FDCWD, path, &status, 0) == 0 { try check(status, path) }
  }

  private static func check(_ status: stat, _ path: String) throws {
    let kind: LifecycleJournal.FileKind
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: kind = .directory
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFBLK, S_IFCHR: kind = .device
    default: kind = .other
    }
    throw LifecycleJournal.OpenError.notARegularFile(path: path, kind)
  }

  /// The process that has the file, as far as its record can be read.
  private static func owner(of file: OpenFile) -> Int32? {
    guard let size = try? file.status.st_size,
      let bytes = try? file.read(JournalSlot.fileSize, at: 0),
      case .record(let record, _) = JournalContents(bytes, size: Int(size))
    else { return nil }
    return record.processID
  }
}

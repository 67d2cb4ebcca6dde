/// A journal's file that is open and locked, and that contains the first record of this run.
struct OpenedJournal: Sendable {
  let file: any JournalFile
  var machine: JournalMachine
  /// The previous content of the file.
  let previous: Previous

  enum Previous: Sendable {
    case nothing
    case record(JournalRecord)
    case damaged(LifecycleJournal.Damage)
  }

  /// Writes the record and makes it durable.
  static func perform(
    _ write: JournalMachine.Write,
    _ file: any JournalFile
  ) throws(JournalFileError) {
    try file.write(write.bytes, at: write.offset)
    try file.synchronize()
  }
}

extension OpenedJournal {
  /// Opens the file, or creates one.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - makeRecord: Returns the first record of this run, given the newest one that can be read.
  init(
    at path: String,
    in storage: any JournalStorage,
    _ makeRecord: (JournalRecord?) -> JournalRecord
  ) throws(LifecycleJournal.OpenError) {
    let write = JournalMachine.firstWrite(of: makeRecord(nil))
    let opening = try Self.naming(path) { () throws(JournalFileError) in
      try storage.open(path, orMakeWith: JournalMachine.firstFile(write))
    }
    switch opening {
    case .opened(let file):
      self = try Self.begin(file, path, makeRecord)
    case .made(let file):
      let machine = JournalMachine(write.record, generation: write.generation)
      self.init(file: file, machine: machine, previous: .nothing)
    case .inUse(let file):
      throw .inUse(path: path, processID: Self.owner(of: file))
    case .notARegularFile(let kind):
      throw .notARegularFile(path: path, kind)
    }
  }

  /// Calls `body`, and adds the path to its error.
  private static func naming<Result>(
    _ path: String,
    _ body: () throws(JournalFileError) -> Result
  ) throws(LifecycleJournal.OpenError) -> Result {
    do throws(JournalFileError) {
      return try body()
    } catch {
      throw .cannotOpen(path: path, errno: error.errno)
    }
  }

  /// Reads the file, and writes the first record of this run.
  private static func begin(
    _ file: any JournalFile,
    _ path: String,
    _ makeRecord: (JournalRecord?) -> JournalRecord
  ) throws(LifecycleJournal.OpenError) -> OpenedJournal {
    let found = try naming(path) { () throws(JournalFileError) in try contents(of: file) }
    switch found {
    case .nothing:
      return try naming(path) { () throws(JournalFileError) in
        try begin(file, afterNothing: makeRecord(nil))
      }
    case .record(let previous, let generation):
      return try naming(path) { () throws(JournalFileError) -> OpenedJournal in
        var machine = JournalMachine(previous, generation: generation)
        let write = machine.write(of: makeRecord(previous))
        // The record that was found may not be on the drive yet. The record before it, which is, is
        // about to be overwritten.
        try file.synchronize()
        try perform(write, file)
        machine.didWrite(write)
        return OpenedJournal(file: file, machine: machine, previous: .record(previous))
      }
    case .damaged(let offset, let problem, let readable, let generation):
      let name: String
      do throws(JournalFileError) {
        name = try setAside(file, of: path)
      } catch {
        throw .cannotSetAside(path: path, offset: offset, problem: problem, errno: error.errno)
      }
      let damage = LifecycleJournal.Damage(
        path: path,
        offset: offset,
        problem: problem,
        setAside: name
      )
      return try naming(path) { () throws(JournalFileError) in
        OpenedJournal(
          file: file,
          machine: try repair(file, makeRecord(readable), after: generation),
          previous: .damaged(damage)
        )
      }
    }
  }

  static func contents(
    of file: any JournalFile
  ) throws(JournalFileError) -> JournalContents {
    let size = try file.size
    return JournalContents(try file.read(JournalSlot.fileSize, at: 0), size: size)
  }

  private static func begin(
    _ file: any JournalFile,
    afterNothing record: JournalRecord
  ) throws(JournalFileError) -> OpenedJournal {
    let isEmpty = try file.size == 0
    let write = JournalMachine.firstWrite(of: record)
    do throws(JournalFileError) {
      // The size comes first: zeros of that size mean that nothing was recorded yet. All of them
      // are written, so that later writes need no space on the disk.
      try file.setSize(JournalSlot.fileSize)
      try file.write([UInt8](repeating: 0, count: JournalSlot.fileSize), at: 0)
      try perform(write, file)
    } catch {
      // An empty file must stay empty.
      if isEmpty { try? file.setSize(0) }
      throw error
    }
    let machine = JournalMachine(record, generation: write.generation)
    return OpenedJournal(file: file, machine: machine, previous: .nothing)
  }

  /// Copies a file of any size to the first name that is free: `PATH.damaged`, `PATH.damaged-2`, ….
  ///
  /// - Returns: The name.
  private static func setAside(
    _ file: any JournalFile,
    of path: String
  ) throws(JournalFileError) -> String {
    var number = 1
    while true {
      let name = path + (number == 1 ? ".damaged" : ".damaged-\(number)")
      if try file.copy(to: name) { return name }
      number += 1
    }
  }

  /// Makes a file a journal again, after its bytes were copied.
  private static func repair(
    _ file: any JournalFile,
    _ record: JournalRecord,
    after generation: UInt64
  ) throws(JournalFileError) -> JournalMachine {
    var machine = JournalMachine(record, generation: generation)
    try file.write(JournalMachine.invalidation, at: 0)
    try file.synchronize()
    for write in JournalMachine.repair(record, after: generation) {
      // The rest of the slot is not needed.
      let rest = JournalSlot.size - write.bytes.count
      try file.write(write.bytes + [UInt8](repeating: 0, count: rest), at: write.offset)
      try file.synchronize()
      machine.didWrite(write)
    }
    try file.setSize(JournalSlot.fileSize)
    try file.synchronize()
    return machine
  }

  /// Returns the process that uses the file, if its record can be read.
  private static func owner(of file: any JournalFile) -> Int32? {
    guard case .record(let record, _) = try? contents(of: file) else { return nil }
    return record.processID
  }
}

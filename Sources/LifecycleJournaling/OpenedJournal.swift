import LifecycleCore
import LifecycleSupport

/// A journal's file that is open and locked, and that contains the first entry of this run.
struct OpenedJournal: Sendable {
  private enum Previous: Sendable {
    case nothing
    case entry(JournalEntry)
    case damaged(LifecycleJournal.Damage)
  }

  let file: any JournalFile
  private(set) var machine: JournalMachine
  /// The previous content of the file.
  private let previous: Previous

  /// Opens the file, or creates one.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - entry: The first entry of this run, which becomes that of the run after the newest entry
  ///     in the file.
  init(
    at path: String,
    in storage: any JournalStorage,
    _ entry: JournalEntry
  ) throws(LifecycleJournal.OpenError) {
    let write = JournalMachine.firstWrite(of: entry)
    let opening = try Self.naming(path) { () throws(JournalFileError) in
      try storage.open(path, orMakeWith: JournalMachine.firstFile(write))
    }
    switch opening {
    case .opened(let file):
      self.file = file
      (machine, previous) = try Self.begin(file, path, entry)
    case .made(let file):
      self.file = file
      (machine, previous) = (JournalMachine(entry, generation: write.generation), .nothing)
    case .inUse(let file):
      let content = try? Self.contents(of: file)
      guard case .entry(let entry, _) = content else { throw .inUse(path: path, processID: nil) }
      throw .inUse(path: path, processID: entry.processID)
    case .notARegularFile(let kind):
      throw .notARegularFile(path: path, kind)
    }
  }

  /// Returns the report about the previous run.
  ///
  /// - Parameters:
  ///   - now: The current moment.
  ///   - boot: The current boot.
  ///   - version: The current version of the program.
  func previousRun(
    at now: LifecycleInstant,
    boot: BootID?,
    version: String?
  ) -> LifecycleJournal.PreviousRun {
    switch previous {
    case .nothing: LifecycleJournal.PreviousRun(exit: .firstLaunch)
    case .entry(let entry): entry.previousRun(at: now, boot: boot, version: version)
    case .damaged(let damage): LifecycleJournal.PreviousRun(exit: .unknown, damage: damage)
    }
  }

  /// The last sign of life of the previous run.
  var previousSignOfLife: LifecycleInstant? {
    if case .entry(let entry) = previous { entry.signOfLife } else { nil }
  }

  static func contents(
    of file: any JournalFile
  ) throws(JournalFileError) -> JournalContents {
    let size = try file.size
    return JournalContents(try file.read(JournalSlot.fileSize, at: 0), size: size)
  }

  /// Writes an entry and makes it durable.
  static func perform(
    _ write: JournalMachine.Write,
    _ file: any JournalFile
  ) throws(JournalFileError) {
    try file.write(write.bytes, at: write.offset)
    try file.synchronize()
  }
}

extension OpenedJournal {
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

  /// Reads the file, and writes the first entry of this run.
  private static func begin(
    _ file: any JournalFile,
    _ path: String,
    _ entry: JournalEntry
  ) throws(LifecycleJournal.OpenError) -> (JournalMachine, Previous) {
    switch try naming(path, { () throws(JournalFileError) in try contents(of: file) }) {
    case .nothing:
      let machine = try naming(path) { () throws(JournalFileError) in
        try begin(file, afterNothing: entry)
      }
      return (machine, .nothing)
    case .entry(let previous, let generation):
      var machine = JournalMachine(previous, generation: generation)
      let write = machine.write(of: entry.following(previous))
      try naming(path) { () throws(JournalFileError) in
        // The entry that was found may not be on the drive yet. The entry before it, which is, is
        // about to be overwritten.
        try file.synchronize()
        try perform(write, file)
      }
      machine.didWrite(write)
      return (machine, .entry(previous))
    case .damaged(let offset, let problem, let readable, let generation):
      let name: String
      do throws(JournalFileError) {
        name = try setAside(file, of: path)
      } catch {
        throw .cannotSetAside(path: path, offset: offset, problem: problem, errno: error.errno)
      }
      let machine = try naming(path) { () throws(JournalFileError) in
        try repair(file, readable.map(entry.following) ?? entry, after: generation)
      }
      let damage = LifecycleJournal.Damage(
        path: path,
        offset: offset,
        problem: problem,
        setAside: name
      )
      return (machine, .damaged(damage))
    }
  }

  private static func begin(
    _ file: any JournalFile,
    afterNothing entry: JournalEntry
  ) throws(JournalFileError) -> JournalMachine {
    let isEmpty = try file.size == 0
    let write = JournalMachine.firstWrite(of: entry)
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
    return JournalMachine(entry, generation: write.generation)
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
    _ entry: JournalEntry,
    after generation: UInt64
  ) throws(JournalFileError) -> JournalMachine {
    var machine = JournalMachine(entry, generation: generation)
    try file.write(JournalMachine.invalidation, at: 0)
    try file.synchronize()
    for write in JournalMachine.repair(entry, after: generation) {
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
}

import LifecycleCore
import LifecycleSupport

/// The file that a recording is written to, and what is written to it next.
struct RecordingOutput {
  let series: FileSeries
  var machine: FlightWriterMachine
  /// The file; nil if it must be opened, and once nothing more is written.
  var file: SystemFile?
  private let coder = FlightLineCoder()

  /// A Boolean value that indicates whether another program has moved, deleted, truncated or
  /// otherwise changed the file.
  var isDisturbed: Bool {
    guard let file else { return false }
    return file.isGone(from: series.location) || (try? file.size) != machine.size
  }

  /// Opens the file, if that is needed.
  ///
  /// - Parameter replacesContent: Whether to remove what the file contains.
  mutating func open(replacing replacesContent: Bool = false) throws(SystemError) {
    guard file == nil else { return }
    let file = try series.open()
    // The file is locked, so no other recorder writes it.
    if replacesContent { try file.setSize(0) }
    let size = try file.size
    let last = size > 0 ? try file.read(1, at: size - 1).first : nil
    machine.didOpen(size: size, endsWithinLine: last != nil && last != UInt8(ascii: "\n"))
    self.file = file
  }

  /// Writes what comes next to the open file, or rotates it.
  ///
  /// - Returns: Nil if there is nothing to do; otherwise the file that is no longer written, if
  ///   there is one.
  mutating func step() throws(SystemError) -> SystemFile?? {
    guard let file else { return nil }
    switch machine.step(coder) {
    case nil: return nil
    case .append(let bytes, let records):
      try append(bytes, to: file)
      machine.didAppend(bytes.count, records: records)
      return .some(nil)
    case .rotate:
      try series.rotate()
      return .some(self.file.take())
    }
  }

  /// Appends all of the bytes or, if possible, none.
  private mutating func append(_ bytes: [UInt8], to file: SystemFile) throws(SystemError) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      let size = machine.size
      if (try? file.setSize(size)) == nil { machine.didSpoil(size: (try? file.size) ?? size) }
      throw error
    }
  }
}

/// The file that is written, `PATH`, and the older ones: `PATH.1`, `PATH.2`, ….
struct FileSeries: Sendable {
  /// The absolute path, which stays valid when the program changes its directory.
  let location: String
  /// The number of older files to keep.
  let olderCount: Int

  init(_ path: String, olderCount: Int) {
    location = SystemDescriptor.absolutePath(path)
    self.olderCount = olderCount
  }

  /// Opens or creates the file, and locks it.
  ///
  /// - Throws: `EWOULDBLOCK` if another writer uses it.
  func open() throws(SystemError) -> SystemFile {
    // Another process may rename the file in the meantime.
    for _ in 0..<100 {
      switch SystemFile.kind(at: location) {
      case .directory: throw SystemError(errno: EISDIR)
      case .pipe, .device: throw SystemError(errno: ENODEV)
      case .regular, nil: break
      }
      let file = try SystemFile(location, O_RDWR | O_CREAT | O_APPEND)
      guard try file.lock() else { throw SystemError(errno: EWOULDBLOCK) }
      if file.isAt(location) { return file }
    }
    throw SystemError(errno: EAGAIN)
  }

  /// Gives the file the name of the newest older one, and each older one the next name.
  ///
  /// The oldest one is deleted. A kill at any moment leaves each file under one of the names. A
  /// symbolic link stays: the older files are beside its target.
  func rotate() throws(SystemError) {
    let file = try SystemFile.target(of: location)
    guard olderCount > 0 else {
      guard unlink(file) == 0 else { throw .current }
      return
    }
    func older(_ number: Int) -> String { "\(file).\(number)" }
    // A rotation that failed halfway has left a gap, up to which there is space.
    let free = (1..<olderCount).first { SystemFile.kind(at: older($0)) == nil } ?? olderCount
    for number in stride(from: free - 1, to: 0, by: -1) {
      try move(older(number), to: older(number + 1))
    }
    try move(file, to: older(1))
  }

  private func move(_ name: String, to newName: String) throws(SystemError) {
    guard rename(name, newName) == 0 || errno == ENOENT else { throw .current }
  }
}

/// The files whose writing ended before the process, which may happen during the return from
/// `main`.
///
/// When the process exits, they get an end as their last record, unless another program or another
/// recorder has changed the file.
enum UnfinishedRecordings {
  private struct Unfinished {
    var output: RecordingOutput
    let inode: ino_t
    let process = getpid()
  }

  private static let all = Locked<[String: Unfinished]>([:])
  private static let exitAction = ProcessExit.Action {
    for unfinished in all.withLock({ $0 }).values where unfinished.process == getpid() {
      try? finish(unfinished)
    }
  }

  /// - Parameters:
  ///   - output: An output whose file is still open.
  ///   - instant: The present instant. What happens after it is not known, and is no part of a stay
  ///     in the background.
  static func add(_ output: RecordingOutput, endingAt instant: LifecycleInstant) {
    guard !output.machine.hasEnded, !output.isDisturbed,
      let inode = try? output.file?.status.st_ino
    else { return }
    var output = output
    output.file = nil
    output.machine.add([FlightRecord(.ended, at: instant)])
    let unfinished = Unfinished(output: output, inode: inode)
    all.discard { $0.updateValue(unfinished, forKey: output.series.location) }
    exitAction.add()
  }

  private static func finish(_ unfinished: Unfinished) throws(SystemError) {
    var output = unfinished.output
    let file = try SystemFile(output.series.location, O_RDWR | O_APPEND)
    guard try file.lock(), try file.status.st_ino == unfinished.inode else { return }
    output.file = file
    if output.isDisturbed { return }
    repeat { try output.open() } while try output.step() != nil
  }
}

import Foundation
import LifecycleCore
import LifecycleJournaling

/// A bus whose transitions are recorded in a file beside the executable.
public final class RecordingBus {
  private let file: FileHandle
  private let bus = LifecycleBus()
  private let journal: LifecycleJournal
  private var isActive = true
  private var firstNumber = 0

  /// - Parameter size: How many bytes of values the journal keeps.
  public init(keeping size: Int) {
    let path = Self.freshPath()
    journal = try! LifecycleJournal(at: path, of: bus)
    file = FileHandle(forReadingAtPath: path)!
    // However the program ends, nothing is left.
    unlink(path)
    // Two of the bytes are the quotation marks.
    try! journal.set(String(repeating: "x", count: size - 2), forKey: "value")
    bus.send(.didBecomeActive)
    firstNumber = newestNumber
  }

  /// Sends an event that changes the phase.
  public func move() {
    isActive.toggle()
    bus.send(isActive ? .didBecomeActive : .willResignActive)
  }

  /// The bytes of a record.
  public var record: [UInt8] {
    let bytes = contents
    let place = bytes.prefix(bytes.count / 2)
    return place.lastIndex { $0 != 0 }.map { Array(place[...$0]) } ?? []
  }

  /// Throws unless so many records have been written.
  public func check(moves: Int) throws(CallMismatch) {
    let written = newestNumber - firstNumber
    if written != moves { throw CallMismatch(observer: 0, expected: moves, actual: written) }
  }

  /// The records' numbers stand at the same offset in both halves of the file.
  private var newestNumber: Int {
    let bytes = contents
    let numbers = [12, bytes.count / 2 + 12].map { offset in
      bytes.dropFirst(offset).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    return max(numbers[0], numbers[1])
  }

  private var contents: [UInt8] {
    try! file.seek(toOffset: 0)
    return [UInt8](try! file.readToEnd()!)
  }

  /// A path on the drive that the executables are on.
  public static func freshPath() -> String {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appending(path: "record-\(ProcessInfo.processInfo.processIdentifier)").path
  }
}

import Foundation
import LifecycleJournaling
import LifecycleTesting

/// A journal's file that passes on to another one all that it does not do itself.
protocol WrappedJournalFile: JournalFile {
  var base: any JournalFile { get }
}

extension WrappedJournalFile {
  var size: Int {
    get throws(JournalFileError) { try base.size }
  }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    try base.read(count, at: offset)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    try base.write(bytes, at: offset)
  }

  func setSize(_ size: Int) throws(JournalFileError) { try base.setSize(size) }

  func synchronize() throws(JournalFileError) { try base.synchronize() }

  func copy(to path: String) throws(JournalFileError) -> Bool { try base.copy(to: path) }
}

extension InMemoryFileSystem {
  /// Makes the file of a journal, which must be its first one.
  func make(_ path: String, with bytes: [UInt8]) throws(JournalFileError) -> any JournalFile {
    guard case .made(let file) = try open(path, orMakeWith: bytes) else {
      throw JournalFileError(errno: EEXIST)
    }
    return file
  }
}

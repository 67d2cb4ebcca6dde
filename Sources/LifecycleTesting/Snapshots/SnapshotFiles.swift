import Foundation
import LifecycleSupport

/// The files of snapshots.
struct SnapshotFiles {
  /// A problem with a file, in words.
  struct Problem: Error {
    let reason: String
  }

  /// Returns the file's text; nil if there is no such file.
  func read(_ path: String) throws(Problem) -> String? {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return nil
    }
    if isDirectory.boolValue { throw Problem(reason: "it is a folder") }
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw Problem(reason: Self.reason(error))
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Problem(reason: "it is not UTF-8 text")
    }
    return text
  }

  /// Writes the whole file or nothing, and creates its folders if needed.
  func write(_ text: String, to path: String) throws(Problem) {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent()
    for folder in [folder.deletingLastPathComponent(), folder]
    where FileManager.default.fileExists(atPath: folder.path) && !isFolder(folder.path) {
      throw Problem(reason: "\(folder.path) is not a folder")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try SystemWrite.withoutSignals { try Data(text.utf8).write(to: url, options: .atomic) }
    } catch {
      throw Problem(reason: Self.reason(error))
    }
  }

  func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  /// Returns the error text of the system, or else of Foundation, as a part of a sentence.
  static func reason(_ error: any Error) -> String {
    let error = error as NSError
    // On Linux, the cause is not an `NSError`, and only an `Error` becomes one.
    if let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map({ $0 as NSError }),
      cause.domain == NSPOSIXErrorDomain, let code = Int32(exactly: cause.code)
    {
      return String(cString: strerror(code))
    }
    let text = error.localizedDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

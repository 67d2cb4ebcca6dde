import Foundation

/// The files of recordings in a folder.
enum RecordingFiles {
  /// A name in a folder. Those of one recording follow each other, the oldest one first.
  private struct Name: Comparable {
    let name: String
    /// The name of the file that is written.
    let newest: Substring
    /// The number of an older file, such as 2 of `life.jsonl.2`; otherwise 0.
    let age: Int

    init(_ name: String) {
      self.name = name
      let dot = name.lastIndex(of: ".") ?? name.endIndex
      let age = Int(name[dot...].dropFirst()) ?? 0
      newest = age > 0 ? name[..<dot] : name[...]
      self.age = age
    }

    var isRecording: Bool { newest.hasSuffix(".jsonl") }

    static func < (first: Self, second: Self) -> Bool {
      (first.newest, second.age) < (second.newest, first.age)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the files `*.jsonl` in a folder and in the folders in it, in the order of their names,
  /// and those of a rotated recording from the oldest one on.
  ///
  /// Hidden ones are left out. A link to a folder, which could lead back, is not followed.
  ///
  /// - Parameter onFailure: Called with each folder that can't be read.
  static func files(in folder: String, onFailure: (MonitorFailure) -> Void) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      let reason = error.localizedDescription
      onFailure(
        MonitorFailure("The folder \(folder) can't be read: \(reason)", status: EX_NOINPUT)
      )
      return []
    }
    let parent = folder.hasSuffix("/") ? folder : folder + "/"
    return names.filter { !$0.hasPrefix(".") }.map(Name.init).sorted().flatMap { name in
      let path = parent + name.name
      var status = stat()
      if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        return files(in: path, onFailure: onFailure)
      }
      // A pipe might wait for a writer forever.
      let isFile = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      return name.isRecording && isFile ? [path] : []
    }
  }
}

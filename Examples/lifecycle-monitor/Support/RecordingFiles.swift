import Foundation
import LifecycleSupport

/// The files of recordings in a folder.
enum RecordingFiles {
  /// A name in a folder. Those of one recording follow each other, the oldest one first.
  private struct Name: Comparable {
    let name: String
    let isText: Bool
    /// A Boolean value that indicates whether it may be a folder, as far as the folder says.
    let mayBeFolder: Bool
    /// The name of the file that is written.
    private let newest: Substring
    /// The number of an older file, such as 2 of `life.jsonl.2`; otherwise 0.
    private let age: Int

    init(_ entry: UnsafeMutablePointer<dirent>) {
      let bytes = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let start = bytes.assumingMemoryBound(to: CChar.self)
      name = String(cString: start)
      isText = strcmp(name, start) == 0
      mayBeFolder = [DT_DIR, DT_UNKNOWN].contains { $0 == entry.pointee.d_type }
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

  static func isEmpty(_ path: String) -> Bool {
    // The size of a file in /proc is 0, too.
    SystemFile.kind(at: path) == .regular
      && (try? SystemFile(path, O_RDONLY).read(1))?.isEmpty == true
  }

  /// Returns the files `*.jsonl` in a folder and in the folders in it, in the order of their names,
  /// and those of a rotated recording from the oldest one on.
  ///
  /// Hidden ones are left out. A link to a folder, which could lead back, is not followed.
  ///
  /// - Parameter onFailure: Called with each path that can't be looked at, unless it is that of a
  ///   file with another name.
  static func files(in folder: String, onFailure: (MonitorFailure) -> Void) -> [String] {
    guard let names = names(in: folder) else {
      onFailure(failure(folder, String(cString: strerror(errno))))
      return []
    }
    let parent = folder.hasSuffix("/") ? folder : folder + "/"
    var files: [String] = []
    for name in names.sorted() where !name.name.hasPrefix(".") {
      let path = parent + name.name
      var (own, target) = (stat(), stat())
      if name.isText, lstat(path, &own) == 0 {
        if own.st_mode & S_IFMT == S_IFDIR {
          files += Self.files(in: path, onFailure: onFailure)
        } else if name.isRecording {
          if stat(path, &target) != 0 {
            onFailure(failure(path, String(cString: strerror(errno))))
          } else if target.st_mode & S_IFMT == S_IFREG {
            files.append(path)
          } else if target.st_mode & S_IFMT != S_IFDIR {
            // A pipe might wait for a writer forever.
            onFailure(failure(path, "it is not a regular file"))
          }
        }
      } else if name.isRecording || name.mayBeFolder {
        let reason = name.isText ? String(cString: strerror(errno)) : "its name is not UTF-8"
        onFailure(failure(path, reason))
      }
    }
    return files
  }

  /// Returns nil if the folder can't be read, for the reason in `errno`.
  private static func names(in folder: String) -> [Name]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [Name] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { return errno == 0 ? names : nil }
      names.append(Name(entry))
    }
  }

  private static func failure(_ path: String, _ reason: String) -> MonitorFailure {
    // The reason must fit into the line, too.
    let isLong = path.count > 500
    let shown = isLong ? "\(path.prefix(250))…\(path.suffix(250))" : path
    return MonitorFailure("\(shown) can't be read: \(reason)", status: EX_NOINPUT)
  }

  /// Returns the paths without those that lead to the same file as another one: a link gives way to
  /// the file, and a path to one before it.
  static func distinct(_ paths: [String]) -> [String] {
    struct Identity: Hashable {
      let device: dev_t
      let inode: ino_t
    }

    var seen: Set<Identity> = []
    var repeated: Set<Int> = []
    let links = paths.map { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
    for isLink in [false, true] {
      for (index, path) in paths.enumerated() where links[index] == isLink {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
        let identity = Identity(device: status.st_dev, inode: status.st_ino)
        if !seen.insert(identity).inserted { repeated.insert(index) }
      }
    }
    return paths.enumerated().filter { !repeated.contains($0.offset) }.map(\.element)
  }
}

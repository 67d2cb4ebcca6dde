#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reading end of a pipe whose writing end another process opens by its path.
struct NamedPipe {
  let path: String
  let descriptor: CInt
  private let directory: String

  /// Creates the pipe in a private directory and opens it for reading without waiting for a writer.
  init() throws(JobControlError) {
    directory = try Self.makeDirectory()
    path = "\(directory)/output"
    guard mkfifo(path, 0o600) == 0 else { throw .current("mkfifo") }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .current("open") }
  }

  private static func makeDirectory() throws(JobControlError) -> String {
    let bases = [getenv("TMPDIR").map { String(cString: $0) }, "/tmp"].compactMap { $0 }
    for base in bases {
      var template = Array("\(base)/job-control-XXXXXX".utf8CString)
      if mkdtemp(&template) != nil {
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      }
    }
    throw .current("mkdtemp in \(bases.joined(separator: " and in "))")
  }

  /// Removes the name, which is no longer needed once the writer has opened it.
  func unlinkPath() {
    unlink(path)
    rmdir(directory)
  }
}

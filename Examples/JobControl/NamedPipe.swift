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

  /// Makes the pipe in a private directory and opens it for reading without waiting for a writer.
  init() throws(JobControlError) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/job-control-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .current("mkdtemp") }
    directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    path = "\(directory)/output"
    guard mkfifo(path, 0o600) == 0 else { throw .current("mkfifo") }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .current("open") }
  }

  /// Removes the name, which is of no use once the writer has opened it.
  func unlinkPath() {
    unlink(path)
    rmdir(directory)
  }
}

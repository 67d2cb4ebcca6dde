import LifecycleSupport

/// An error of a system call, identified by the system's error number.
struct SystemError: Error, Hashable {
  var errno: Int32

  /// The error of the system call that has just failed.
  static var current: Self { Self(errno: lastErrorNumber) }
}

private var lastErrorNumber: Int32 { errno }

/// Returns the system's message for an error number.
func systemMessage(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// Returns the directory that a path is in.
func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

#if canImport(Darwin)
  import Darwin
  import MachO
#else
  import Glibc
#endif

/// Runs a program without a terminal and waits for it.
///
/// Use it instead of Foundation's `Process`, whose `waitUntilExit` has been seen to wait forever on
/// Linux when several run at once.
///
/// - Returns: How the program ended, and its output and diagnostics together.
public func runProgram(
  _ path: String,
  _ arguments: [String] = []
) throws(JobControlError) -> (status: JobStatus, text: String) {
  var (output, input) = try makePipe()
  defer {
    closeDescriptor(&output)
    closeDescriptor(&input)
  }
  let child = try Spawn(
    arguments: ([path] + arguments).map { Array($0.utf8) },
    environment: currentEnvironment(),
    group: .ownSession,
    fileActions: [
      .open(STDIN_FILENO, path: "/dev/null", flags: O_RDONLY),
      .duplicate(input, as: STDOUT_FILENO),
      .duplicate(input, as: STDERR_FILENO),
      .closeFrom(STDERR_FILENO + 1),
    ]
  ).run()
  closeDescriptor(&input)
  var text: [UInt8] = []
  _ = readAvailableBytes(from: output) { text += $0 }
  var status: CInt = 0
  while waitpid(child, &status, 0) < 0 {
    guard errno == EINTR else { throw .current("waitpid") }
  }
  return (JobStatus(waitStatus: status), String(decoding: text, as: UTF8.self))
}

/// The path of the program that is running.
public func currentExecutablePath() -> String {
  #if canImport(Darwin)
    var size: UInt32 = 0
    _NSGetExecutablePath(nil, &size)
    var path = [CChar](repeating: 0, count: Int(size))
    _NSGetExecutablePath(&path, &size)
  #else
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    readlink("/proc/self/exe", &path, path.count - 1)
  #endif
  return path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}

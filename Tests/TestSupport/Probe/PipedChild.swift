public import Foundation

/// A child process whose output is read line by line. It is killed at the latest when it is
/// released.
public final class PipedChild {
  public let processID: pid_t
  private var output: CInt
  private var buffer: [UInt8] = []
  private var isReaped = false

  /// Swift's backtracer would report a child that aborts, outlives it under the thread sanitizer, and
  /// holds this process's standard error open.
  private static let environment = ProcessInfo.processInfo.environment
    .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }

  public init(_ arguments: [String]) throws {
    var ends: [CInt] = [-1, -1]
    // A pipe can't be closed on exec from the first moment on: no call for that is visible.
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    defer { close(ends[1]) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Under nohup(1) the child would ignore SIGHUP.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let texts = arguments.map { strdup($0) }
    let environment = Self.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (texts + environment).forEach { free($0) } }
    var child: pid_t = 0
    let error = posix_spawnp(
      &child,
      arguments[0],
      &actions,
      &attributes,
      texts + [nil],
      environment + [nil]
    )
    processID = child
    guard error == 0 else {
      isReaped = true
      throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO)
    }
  }

  deinit {
    if !isReaped { kill() }
    closeOutput()
  }

  /// Leaves the child without a reader.
  public func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Waits for the next line; nil after the last one.
  public func nextLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &bytes, bytes.count)
      if count > 0 { buffer += bytes[..<count] } else if count == 0 || errno != EINTR { return nil }
    }
  }

  public func remainingLines() -> [String] {
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }

  public func kill() {
    Foundation.kill(processID, SIGKILL)
    wait()
  }

  /// Waits until it has ended.
  @discardableResult
  public func wait() -> CInt {
    var status: CInt = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    return status
  }
}

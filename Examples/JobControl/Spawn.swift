import CJobControl

#if canImport(Darwin)
  import Darwin
  import Darwin.crt_externs
#else
  import Glibc
#endif

/// One use of `posix_spawn`, with the attributes that job control needs.
struct Spawn {
  enum FileAction {
    case open(CInt, path: String, flags: CInt)
    case duplicate(CInt, as: CInt)

    /// Hands the terminal at this descriptor to the new group before the program runs.
    case takeTerminal(CInt)

    case closeFrom(CInt)
  }

  enum Group {
    /// That of this process.
    case inherited
    case own
    case ownSession
  }

  /// Each is bytes, which need not be UTF-8.
  var arguments: [[UInt8]]
  var environment: [[UInt8]]
  var group: Group
  var blockedSignals = sigset_t.empty
  var defaultSignals = sigset_t.full
  var fileActions: [FileAction] = []

  func run() throws(JobControlError) -> pid_t {
    guard let program = arguments.first else { throw .system(call: "posix_spawn", error: ENOENT) }
    var attributes = emptyAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    try set(&attributes)

    var actions = emptyFileActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for action in fileActions { try add(action, to: &actions) }

    var pid: pid_t = 0
    let error = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawnp(&pid, arguments[0]!, &actions, &attributes, arguments, environment)
      }
    }
    try check(error, "posix_spawn of \(String(decoding: program, as: UTF8.self))")
    return pid
  }

  private func set(_ attributes: inout Attributes) throws(JobControlError) {
    var flags = CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF)
    switch group {
    case .inherited: break
    case .own:
      flags |= CInt(POSIX_SPAWN_SETPGROUP)
      try check(posix_spawnattr_setpgroup(&attributes, 0), "posix_spawnattr_setpgroup")
    case .ownSession:
      flags |= CInt(job_control_setsid_flag())
    }
    var (blocked, defaults) = (blockedSignals, defaultSignals)
    try check(posix_spawnattr_setflags(&attributes, Int16(flags)), "posix_spawnattr_setflags")
    try check(posix_spawnattr_setsigmask(&attributes, &blocked), "posix_spawnattr_setsigmask")
    try check(
      posix_spawnattr_setsigdefault(&attributes, &defaults),
      "posix_spawnattr_setsigdefault"
    )
  }

  private func add(_ action: FileAction, to actions: inout FileActions) throws(JobControlError) {
    switch action {
    case .open(let descriptor, let path, let flags):
      try check(
        posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0),
        "posix_spawn_file_actions_addopen"
      )
    case .duplicate(let descriptor, let copy):
      try check(
        posix_spawn_file_actions_adddup2(&actions, descriptor, copy),
        "posix_spawn_file_actions_adddup2"
      )
    case .takeTerminal(let descriptor):
      try checkIfSupported(job_control_add_foreground(&actions, descriptor), "addtcsetpgrp_np")
    case .closeFrom(let lowest):
      try checkIfSupported(job_control_add_closefrom(&actions, lowest), "addclosefrom_np")
    }
  }

  private func check(_ error: CInt, _ call: String) throws(JobControlError) {
    if error != 0 { throw .system(call: call, error: error) }
  }

  private func checkIfSupported(_ error: CInt, _ call: String) throws(JobControlError) {
    if error != ENOTSUP { try check(error, call) }
  }
}

#if canImport(Darwin)
  private typealias Attributes = posix_spawnattr_t?
  private typealias FileActions = posix_spawn_file_actions_t?
  private var emptyAttributes: Attributes { nil }
  private var emptyFileActions: FileActions { nil }
#else
  private typealias Attributes = posix_spawnattr_t
  private typealias FileActions = posix_spawn_file_actions_t
  private var emptyAttributes: Attributes { Attributes() }
  private var emptyFileActions: FileActions { FileActions() }
#endif

/// Calls the body with a null-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [[UInt8]],
  _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = strings.map { string in
    (string.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { strdup($0.baseAddress!) }
  }
  defer { pointers.forEach { free($0) } }
  return body(pointers + [nil])
}

/// Returns the environment of this process, in which the additions take precedence.
func currentEnvironment(adding additions: [String: String] = [:]) -> [[UInt8]] {
  #if canImport(Darwin)
    var next = _NSGetEnviron().pointee!
  #else
    var next = environ
  #endif
  var result = additions.map { "\($0.key)=\($0.value)" }.sorted().map { Array($0.utf8) }
  while let entry = next.pointee {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    if additions[name] == nil { result.append(bytes) }
    next += 1
  }
  return result
}

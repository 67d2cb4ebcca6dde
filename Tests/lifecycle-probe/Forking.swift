import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleProcess
import LifecycleTerminal
import TestSupport

/// Calls fork(2). Swift hides it, because what a process with threads may do in its child is
/// little.
func forkProcess() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  return unsafeBitCast(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: Fork.self)()
}

/// Starts a child that executes no other program, and prints its number. The child ends with 1, 2
/// or 3 if its mask or its dispositions are not those from before, or if it can connect. Otherwise
/// it prints a line and waits for a signal. Prints its status when it has ended.
func forkChild(_ connection: ProbeConnection, earlierDispositions: [String]) {
  let ready = Array(encodedLine(.note("child waits")))
  let mask = currentMask
  // Loads what the child uses.
  _ = currentDispositions()
  let child = forkProcess()
  if child == 0 {
    alarm(300)
    if currentMask != mask { _exit(1) }
    if currentDispositions() != earlierDispositions { _exit(2) }
    connection.cancel()
    if (try? connection.connect()) != nil { _exit(3) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    _ = write(STDOUT_FILENO, ready, ready.count)
    while true { pause() }
  }
  emit(.note("child \(child)"))
  Thread.detachNewThread {
    emit(.note("child ended \(waitForChild(child))"))
  }
}

private var currentMask: UInt64 {
  var set = sigset_t()
  pthread_sigmask(SIG_BLOCK, nil, &set)
  return withUnsafeBytes(of: set) { $0.load(as: UInt64.self) }
}

private func waitForChild(_ child: pid_t) -> CInt {
  var status: CInt = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  return status
}

/// Opens a journal, a recording and a terminal session, and starts a child that executes no other
/// program, and in which the bus ends. Prints the status of the child, what it has changed, and
/// what it has unlocked.
struct ForkedWriters: ParsableCommand {
  @Argument(help: "A folder for files.") var folder: String

  func run() throws {
    let session = try TerminalSession()
    let settings = Self.settings
    let paths = ["\(folder)/journal", "\(folder)/recording"]
    let bus = NonisolatedLifecycleBus()
    var journal: LifecycleJournal? = try LifecycleJournal(at: paths[0], of: bus)
    let (recording, flush) = try FlightRecorder(of: bus).writeWithFlush(to: paths[1]) { _ in }
    bus.send(.didBecomeActive)
    flush()
    let before = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    let child = forkProcess()
    if child == 0 {
      alarm(300)
      try? journal?.set(1, forKey: "number")
      bus.send(.willTerminate)
      recording.cancel()
      journal = nil
      session.close()
      _exit(0)
    }
    printLine("child ended \(waitForChild(child))")
    for (path, before) in zip(paths, before) {
      let isSame = try Data(contentsOf: URL(filePath: path)) == before
      let file = open(path, O_RDONLY | O_CLOEXEC)
      let isLocked = flock(file, LOCK_EX | LOCK_NB) != 0
      close(file)
      let name = URL(filePath: path).lastPathComponent
      printLine("\(name): \(isSame ? "same" : "changed"), \(isLocked ? "locked" : "unlocked")")
    }
    printLine("terminal: \(Self.settings == settings ? "same" : "changed")")
    withExtendedLifetime((bus, journal, recording, session)) {}
  }

  /// The flags of the terminal.
  private static var settings: [tcflag_t] {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    defer { close(terminal) }
    var settings = termios()
    tcgetattr(terminal, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }
}

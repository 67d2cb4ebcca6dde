import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleProcess
import LifecycleSupport
import TestSupport

/// What the probe does on SIGUSR2.
enum ProbeAction: String, ExpressibleByArgument {
  /// Disconnects the source, and prints the dispositions from before it was connected and now.
  case disconnect

  /// Installs handlers of the program's own, then disconnects the source, and prints the
  /// dispositions from before the latter and now.
  case replaceAndDisconnect

  /// Prints the dispositions from before the source was connected and now.
  case compare

  /// Disconnects the source and exits with 3.
  case disconnectAndExit

  /// Runs a child, and prints what it inherited.
  case spawn

  /// Reads a line from the terminal, on the main thread.
  case read

  /// Reads a line from the terminal, on the main thread, and exits with 0 if that fails.
  case readOrExit

  /// Reads lines from the terminal, on the main thread and two others.
  case readOnThreads

  /// Ignores the signal of a read in the background.
  case ignoreTerminalStop

  /// Sets the terminal, to what it is, on the main thread.
  case setTerminal

  /// Disconnects the source and connects it again, twice.
  case reconnect

  /// Connects another bus, whose events are printed, too.
  case connectAnother

  /// Starts a child that executes no other program: see `forkChild`.
  case fork

  func perform(_ connection: ProbeConnection, earlierDispositions: [String]) {
    switch self {
    case .disconnect:
      cancelAndCompare(connection, earlierDispositions: earlierDispositions)
    case .replaceAndDisconnect:
      installOwnHandlers()
      cancelAndCompare(connection, earlierDispositions: currentDispositions())
    case .compare:
      emit(.dispositions(earlierDispositions))
      emit(.dispositions(currentDispositions()))
    case .disconnectAndExit:
      connection.cancel()
      emit(.disconnected)
      exit(3)
    case .spawn:
      // From the main thread, whose mask is the program's own; Dispatch's threads block signals.
      DispatchQueue.main.sync { reportChild() }
    case .read:
      // On the main thread too: where SIGTTIN is blocked, such a read only fails.
      DispatchQueue.main.async { emit(.readFromTerminal(readLineFromTerminal())) }
    case .readOrExit:
      DispatchQueue.main.async { if readLineFromTerminal().hasPrefix("error") { exit(0) } }
    case .readOnThreads:
      DispatchQueue.main.async {
        for _ in 0..<2 { Thread.detachNewThread { _ = readLineFromTerminal() } }
        _ = readLineFromTerminal()
      }
    case .ignoreTerminalStop:
      signal(SIGTTIN, SIG_IGN)
      emit(.note("ignored"))
    case .setTerminal:
      DispatchQueue.main.async { emit(.note("set the terminal: \(setTerminalAgain())")) }
    case .reconnect:
      // On the main thread, where a bus reports at once what it has found.
      DispatchQueue.main.async { connectAgain(connection) }
    case .connectAnother:
      connectAnotherBus()
    case .fork:
      forkChild(connection, earlierDispositions: earlierDispositions)
    }
  }
}

private func cancelAndCompare(_ connection: ProbeConnection, earlierDispositions: [String]) {
  connection.cancel()
  emit(.dispositions(earlierDispositions))
  emit(.dispositions(currentDispositions()))
  emit(.disconnected)
}

private func connectAgain(_ connection: ProbeConnection) {
  for _ in 0..<2 {
    connection.cancel()
    emit(.disconnected)
    guard (try? connection.connect()) != nil else { return }
    emit(.reconnected)
  }
}

/// Keeps the bus for good.
private func connectAnotherBus() {
  let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("another"))
  bus.addObserver(in: scope) { event in
    // A process that did not wait for this bus would be gone by then.
    if event.kind == .willTerminate { usleep(100_000) }
    emit(.event(event))
  }
  let connection = try! bus.connect(.processSignals(taking: .terminate))
  kept.withLock { $0.append((bus, scope, connection)) }
}

private let kept = Locked<[(NonisolatedLifecycleBus, LifecycleScope, LifecycleCancellable)]>([])

private func readLineFromTerminal() -> String {
  let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
  defer { close(terminal) }
  var buffer = [UInt8](repeating: 0, count: 200)
  let count = read(terminal, &buffer, buffer.count)
  guard count > 0 else { return "error \(errno)" }
  return String(decoding: buffer[..<count].filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}

/// Returns 0 or the error number.
private func setTerminalAgain() -> CInt {
  let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
  defer { close(terminal) }
  var settings = termios()
  tcgetattr(terminal, &settings)
  return tcsetattr(terminal, TCSANOW, &settings) == 0 ? 0 : errno
}

/// By `posix_spawn`, which the C library uses.
private func reportChild() {
  var status = ""
  var line = [CChar](repeating: 0, count: 1_024)
  let stream = popen("cat /proc/self/status", "r")!
  while fgets(&line, CInt(line.count), stream) != nil {
    status += line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
  pclose(stream)
  func mask(_ name: String) -> UInt64 { signalMask(name, in: status) ?? .max }
  emit(.child(by: "popen", blocked: mask("SigBlk"), ignored: mask("SigIgn")))
}

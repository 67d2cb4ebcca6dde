import ArgumentParser
import Dispatch
import Foundation
import LifecycleProcess
import Synchronization

/// A signal that the source can take, as an option names it.
enum SignalName: String, ExpressibleByArgument {
  case jobControl, terminate, interrupt, hangUp

  static func set(_ names: [Self]) -> ProcessSignalSource.Signals {
    names.reduce(into: []) { $0.formUnion($1.signals) }
  }

  private var signals: ProcessSignalSource.Signals {
    switch self {
    case .jobControl: .jobControl
    case .terminate: .terminate
    case .interrupt: .interrupt
    case .hangUp: .hangUp
    }
  }
}

/// Signals that the probe sends itself, once.
final class OwnSignals: Sendable {
  private let signals: Mutex<[CInt]>

  init(_ signals: [CInt]) {
    self.signals = Mutex(signals)
  }

  func raise() {
    let signals = signals.withLock { signals in
      defer { signals = [] }
      return signals
    }
    raiseHere(signals)
  }
}

/// Sends signals to the calling thread. The handler of each has run before the next one is sent,
/// even on a thread that blocks signals.
private func raiseHere(_ signals: [CInt]) {
  for number in signals {
    var (set, previous) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, &previous)
    pthread_kill(pthread_self(), number)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}

/// Blocks a signal in this thread, and in those that it creates, one of which asks for the signal
/// again and again: it is pending meanwhile.
func waitOnThread(for number: CInt, _ body: @escaping @Sendable () -> Void) {
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, number)
  pthread_sigmask(SIG_BLOCK, &set, nil)
  Thread.detachNewThread { [set] in
    var (set, none) = (set, timespec())
    while true {
      if sigtimedwait(&set, nil, &none) == number { body() } else { usleep(50_000) }
    }
  }
}

/// Observes a signal, on a queue of its own, so that a blocked main thread does not matter. Until
/// the source is registered, the signal would end the process.
func makeSource(
  _ number: CInt,
  _ handler: @escaping @Sendable () -> Void
) -> any DispatchSourceSignal {
  let source = DispatchSource.makeSignalSource(
    signal: number,
    queue: DispatchQueue(label: "probe.\(number)")
  )
  let registered = DispatchSemaphore(value: 0)
  source.setRegistrationHandler { registered.signal() }
  source.setEventHandler(handler: handler)
  source.activate()
  registered.wait()
  return source
}

/// Cancels a source and waits until it is gone, then sends its signal to this process and waits
/// until that is pending on Dispatch's own thread, where nobody takes it.
func strand(_ number: CInt, after source: any DispatchSourceSignal) {
  let cancelled = DispatchSemaphore(value: 0)
  source.setCancelHandler { cancelled.signal() }
  source.cancel()
  cancelled.wait()
  kill(getpid(), number)
  while !isPendingForThread(number) { usleep(1_000) }
}

/// A set of signals in the text of proc(5)'s `status`.
func signalMask(_ name: String, in status: String?) -> UInt64? {
  let line = status?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
  return line.flatMap { UInt64($0.dropFirst(name.count + 2), radix: 16) }
}

/// Whether the signal is pending for one of the threads alone.
private func isPendingForThread(_ number: CInt) -> Bool {
  let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
  return (threads ?? []).contains { thread in
    let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
    return (signalMask("SigPnd", in: status) ?? 0) & 1 << UInt64(number - 1) != 0
  }
}

private let observedSignals = [SIGHUP, SIGINT, SIGTERM, SIGCONT, SIGTSTP]

/// The signals by which a terminal stops a job of the background, and a pipe its writer.
private let obstacles = [SIGTTIN, SIGTTOU, SIGPIPE]

/// SIGQUIT and the signals of crashes.
private let foreignSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

/// Handler, mask and flags of every signal that the source may touch, and of those that it must
/// not.
func currentDispositions() -> [String] {
  (observedSignals + foreignSignals + obstacles).map { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    // Without a handler it has no effect, and the thread sanitizer fills in another.
    let mask = handler < 2 ? 0 : withUnsafeBytes(of: action.sa_mask) { $0.load(as: UInt64.self) }
    // The C library's own flag, set as soon as a disposition has been set at all.
    let flags = action.sa_flags & ~0x0400_0000
    return "\(number): handler \(handler) mask \(mask) flags \(flags)"
  }
}

/// Handlers with masks and flags that nobody else would choose.
func installOwnHandlers() {
  for (index, number) in (observedSignals + obstacles).enumerated() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = CInt(truncatingIfNeeded: index.isMultiple(of: 2) ? SA_NODEFER : SA_RESTART)
    sigaddset(&action.sa_mask, SIGWINCH)
    sigaction(number, &action, nil)
  }
}

/// A handler that runs on the thread that installed it, and takes its time before it calls the one
/// that it replaces, as if that thread had got no processor.
enum SlowHandler {
  /// Written before the handler that reads them is installed.
  nonisolated(unsafe) private static var former:
    (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
  nonisolated(unsafe) private static var milliseconds: UInt32 = 0
  nonisolated(unsafe) private static var thread = pthread_self()

  static func install(for signal: CInt, milliseconds: UInt32) {
    var action = sigaction()
    sigaction(signal, nil, &action)
    former = action.__sigaction_handler.sa_sigaction
    self.milliseconds = milliseconds
    thread = pthread_self()
    action.__sigaction_handler.sa_sigaction = { signal, info, context in
      guard pthread_equal(pthread_self(), SlowHandler.thread) != 0 else {
        pthread_kill(SlowHandler.thread, signal)
        return
      }
      usleep(1_000 * SlowHandler.milliseconds)
      SlowHandler.former?(signal, info, context)
    }
    sigaction(signal, &action, nil)
  }
}

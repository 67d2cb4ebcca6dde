import ArgumentParser
import Dispatch
import Foundation
import LifecycleSources
import Synchronization

/// A signal that the source can take, as an option names it.
enum SignalName: String, ExpressibleByArgument {
  case none, jobControl, terminate, interrupt, hangUp

  static func set(_ names: [Self]) -> ProcessSignalSource.Signals {
    names.reduce(into: []) { $0.formUnion($1.signals) }
  }

  private var signals: ProcessSignalSource.Signals {
    switch self {
    case .none: []
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

/// Observes a signal, on a queue of its own, so that a blocked main thread does not matter. Until the
/// source is registered, the signal would end the process.
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

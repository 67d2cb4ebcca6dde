import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleProcess
import Synchronization
import TestSupport

/// How often signals were received.
private enum ReceivedSignals {
  static let byBus = Atomic(0)
  static let byHandler = Atomic(0)

  static var total: Int {
    byBus.load(ordering: .sequentiallyConsistent)
      + byHandler.load(ordering: .sequentiallyConsistent)
  }

  /// Waits until that many were received; returns false if there are fewer, or more.
  static func wait(for sent: Int) -> Bool {
    eventually { total >= sent } && total == sent
  }

  /// Installs a handler of the program's own, which counts.
  static func installHandler(of signal: CInt) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      ReceivedSignals.byHandler.add(1, ordering: .sequentiallyConsistent)
    }
    action.sa_flags = CInt(SA_RESTART)
    sigaction(signal, &action, nil)
  }

  static func report(sent: Int) {
    emit(
      .signalCounts(
        SignalCounts(
          sent: sent,
          byBus: byBus.load(ordering: .sequentiallyConsistent),
          byHandler: byHandler.load(ordering: .sequentiallyConsistent)
        )
      )
    )
  }
}

/// Connects and disconnects the process's signals all the time while SIGTERM comes at random moments,
/// and counts who receives it: a bus, or the handler that the program has installed before.
///
/// A connection gets one signal at most. The next one is sent when the last one was received.
struct ConnectionRace: ParsableCommand {
  func run() throws {
    ReceivedSignals.installHandler(of: SIGTERM)
    for _ in 0..<2 { Self.detachThread { while true { _ = ReceivedSignals.total } } }
    let requests = DispatchSemaphore(value: 0)
    Self.detachThread {
      while true {
        requests.wait()
        usleep(.random(in: 0..<2_000))
        kill(getpid(), SIGTERM)
      }
    }
    var sent = 0
    repeat {
      sent += 1
      requests.signal()
      try connect(untilReceived: sent)
    } while ReceivedSignals.total == sent && sent < 200
    ReceivedSignals.report(sent: sent)
  }

  /// Returns also when time is up.
  private func connect(untilReceived round: Int) throws {
    let deadline = ContinuousClock.now + .seconds(300)
    // A bus that has accepted an event delivers it a little later.
    var kept: [(NonisolatedLifecycleBus, LifecycleScope)] = []
    repeat {
      let scope = LifecycleScope("race")
      let bus = NonisolatedLifecycleBus()
      bus.addObserver(for: .willTerminate, in: scope) { _ in
        ReceivedSignals.byBus.add(1, ordering: .sequentiallyConsistent)
      }
      try bus.connect(.processSignals(termination: .observe)).cancel()
      kept.append((bus, scope))
    } while ReceivedSignals.total < round && ContinuousClock.now < deadline
    withExtendedLifetime(kept) {}
  }

  /// Starts a thread that gets no signal.
  private static func detachThread(_ body: @escaping @Sendable () -> Void) {
    var (all, previous) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    Thread.detachNewThread(body)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}

/// Has the bus released before its connection is cancelled, with a signal in between, and counts what
/// the handler receives that was there before.
struct ReleasedBus: ParsableCommand {
  @Flag(help: "Sends SIGHUP, which requests a reload.") var reloads = false

  func run() throws {
    let reload: ProcessSignalSource.Signals = reloads ? .hangUp : []
    let signal = reloads ? SIGHUP : SIGTERM
    ReceivedSignals.installHandler(of: signal)
    var sent = 0
    repeat {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
      let connection = try bus!.connect(.processSignals(reload: reload, termination: .observe))
      bus = nil
      sent += 1
      kill(getpid(), signal)
      usleep(.random(in: 0..<2_000))
      connection.cancel()
    } while ReceivedSignals.wait(for: sent) && sent < 50
    ReceivedSignals.report(sent: sent)
  }
}

/// Has an observer of the end cancel the connection that announced it, and then receives another
/// SIGTERM, which the handler gets that was there before.
struct LeavingObserver: ParsableCommand {
  func run() throws {
    ReceivedSignals.installHandler(of: SIGTERM)
    var sent = 0
    var isReceived = true
    while isReceived, sent < 50 {
      let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("leaving"))
      let connection = try bus.connect(.processSignals(termination: .observe))
      bus.addObserver(for: .willTerminate, in: scope) { _ in
        connection.cancel()
        kill(getpid(), SIGTERM)
      }
      sent += 1
      kill(getpid(), SIGTERM)
      withExtendedLifetime((bus, scope)) { isReceived = ReceivedSignals.wait(for: sent) }
    }
    ReceivedSignals.report(sent: sent)
  }
}

/// Installs a handler that also calls the one it replaces, the library's, and keeps it when the library
/// has gone, as a crash reporter does.
struct ChainedHandler: ParsableCommand {
  /// Written before the handler that reads it is installed.
  nonisolated(unsafe) private static var former:
    (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals(termination: .observe))
    var action = sigaction()
    sigaction(SIGTSTP, nil, &action)
    ChainedHandler.former = action.__sigaction_handler.sa_sigaction
    action.__sigaction_handler.sa_sigaction = { signal, info, context in
      ReceivedSignals.byHandler.add(1, ordering: .sequentiallyConsistent)
      ChainedHandler.former?(signal, info, context)
    }
    sigaction(SIGTSTP, &action, nil)
    connection.cancel()
    kill(getpid(), SIGTSTP)
    ReceivedSignals.report(sent: 1)
  }
}

/// Has an observer cancel a SIGTERM, disconnects, and prints whether the bus is released then.
struct AnsweredQuestion: ParsableCommand {
  func run() throws {
    try MainActor.assumeIsolated { try start() }
    dispatchMain()
  }

  @MainActor private func start() throws {
    let (bus, scope) = (LifecycleBus(), LifecycleScope("question"))
    let (asked, asks) = AsyncStream.makeStream(of: Void.self)
    bus.onExitRequest(in: scope) { _ in
      asks.yield()
      return .cancel
    }
    let connection = try bus.connect(.processSignals(asking: .seconds(3600)))
    let core = Weak(bus.core)
    kill(getpid(), SIGTERM)
    let answered = Task {
      for await _ in asked { break }
      // Shares the answer, or comes after it. Until then, the bus is kept.
      _ = await bus.requestExit()
    }
    Task {
      await answered.value
      connection.cancel()
      scope.end()
      emit(.note(await eventually { !core.isAlive } ? "released" : "alive"))
      Foundation.exit(0)
    }
  }
}

import CLifecycleShims
import Dispatch
import LifecycleSupport

/// The one thread on which this process waits for the operating system.
///
/// It serves the engine of the process's signals and any number of watches. The first of them
/// starts it, and it ends with the last one. Watches alone install no signal handler.
///
/// `current` is held while the thread is started or ended, and is never taken by the thread, which
/// may therefore be waited for. `clients` is held briefly, by any thread.
package enum ProcessThread {
  /// The parts that exist only while the thread does; guarded by `current`.
  private struct Installation {
    let thread: SignalThread
    let records: SignalRecords
  }

  private static let current = Locked<Installation?>(nil)
  private static let clients = Locked(ProcessThreadClients())
}

// MARK: - Watches

extension ProcessThread {
  /// A Boolean value that indicates whether this process is a child by fork(2) of one that had the
  /// thread. It has none, and can't use what it shares with its parent.
  package static var isForkedChild: Bool { lifecycle_is_forked_child() }

  /// Adds a watch, after starting the thread if there is none. Thread-safe; not to be called on the
  /// thread itself.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of descriptors or threads.
  package static func add(_ watch: any ProcessWatch) throws(ProcessSignalSource.StartError) {
    try start { $0.watches.append(watch) }
  }

  /// Removes a watch. When this method has returned, the watch is no longer called; on the
  /// thread itself, apart from the call that is under way. Thread-safe. Has no effect if the watch
  /// was removed before.
  package static func remove(_ watch: any ProcessWatch) {
    guard !isForkedChild else { return }
    let isOnThread = SignalThread.isCurrent
    let finished = clients.withLockDiscarding { $0.remove(watch, waits: !isOnThread) }
    if isOnThread {
      DispatchQueue.global().async { endIfUnused() }
    } else {
      wake()
      finished?.wait()
      endIfUnused()
    }
  }

  /// Makes the thread read the interests of its watches again. Thread-safe.
  package static func wake() {
    lifecycle_pipe_write(0)
  }
}

extension ProcessThread {
  /// A Boolean value that indicates whether the process is stopping, or a signal is ending it.
  /// Thread-safe.
  ///
  /// A watch may not have been called for that if this is true after it was added. If the process
  /// continues after a stop, it is called.
  package internal(set) static var isLeaving: Bool {
    get { clients.withLock { $0.isLeaving } }
    set { clients.withLock { $0.isLeaving = newValue } }
  }
}

// MARK: - The engine of the process's signals

extension ProcessThread {
  /// Records signals from now on, for an engine that will be handed over.
  static func expectSignals() throws(ProcessSignalSource.StartError) {
    try start { $0.signals = .expected }
    lifecycle_pipe_record(true)
  }

  /// Hands over the engine that handles the recorded signals.
  static func handOver(_ engine: any SignalHandling) {
    clients.withLock { $0.signals = .handedOver(engine) }
    wake()
  }

  /// Ends what `expectSignals` has begun. Signals that were recorded and not handled are sent
  /// again. The former handlers are restored before this call.
  static func releaseSignals() {
    lifecycle_pipe_record(false)
    clients.discard { clients in
      let old = clients.signals
      clients.signals = .none
      return old
    }
    wake()
    endIfUnused()
  }
}

// MARK: - Start and end

extension ProcessThread {
  private static func start(
    _ join: (inout ProcessThreadClients) -> Void
  ) throws(ProcessSignalSource.StartError) {
    guard !isForkedChild else { throw .init(step: .thread, errno: ENOTSUP) }
    try current.withLock { current throws(ProcessSignalSource.StartError) in
      if current == nil { current = try install() }
      clients.withLock { join(&$0) }
    }
    wake()
  }

  private static func install() throws(ProcessSignalSource.StartError) -> Installation {
    let records = try SignalRecords()
    do throws(ProcessSignalSource.StartError) {
      let thread = try SignalThread(named: "lifecycle") {
        var loop = ProcessThreadLoop(records: records)
        loop.run()
      }
      return Installation(thread: thread, records: records)
    } catch {
      records.close()
      throw error
    }
  }

  private static func endIfUnused() {
    current.withLock { current in
      guard let installation = current, clients.withLock({ $0.beginClosing() }) else { return }
      wake()
      installation.thread.join()
      installation.records.close()
      clients.withLock { $0.isClosing = false }
      current = nil
    }
  }
}

// MARK: - For the thread

extension ProcessThread {
  /// The clients at this moment.
  static var snapshot: ProcessThreadClients {
    clients.withLock { clients in
      var snapshot = clients
      snapshot.watches = clients.watches.unsharedForSanitizer
      return snapshot
    }
  }

  /// Calls all watches.
  static func call(_ moment: ProcessWatchMoment) {
    for watch in snapshot.watches { call(watch, moment) }
  }

  /// Calls a watch, unless another thread has removed it.
  static func call(_ watch: any ProcessWatch, _ moment: ProcessWatchMoment) {
    guard clients.withLock({ $0.beginCall(of: watch) }) else { return }
    watch.handle(moment)
    for waiter in clients.withLock({ $0.endCall() }) { waiter.signal() }
  }
}

import CLifecycleShims
import Dispatch
import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Observes the signals that end the process through Dispatch, beside other users of Dispatch.
///
/// libdispatch installs its handler once per signal and process and never gives it back. So this
/// restores the disposition that it found, and puts Dispatch's handler back itself the next time.
///
/// A signal that comes when Dispatch's handler is installed and no source is left stays pending on
/// Dispatch's own thread, and the next source would get it, however old. Such a signal is discarded
/// at the start, and sent again at the end, where it arrived just before.
struct DispatchSignals {
  private struct Entry {
    let previous: SignalDisposition
    let source: (any DispatchSourceSignal)?
    let installed: UInt
  }

  #if !canImport(Darwin)
    /// Dispatch's handler, which is one for all signals, once it has been seen.
    private static let known = Locked<SignalDisposition?>(nil)
  #endif

  private let queue = DispatchQueue(label: "lifecycle.process-signals")
  private let entries: [Entry]

  /// Begins to record the signals among `SIGTERM`, `SIGINT` and `SIGHUP` that are not ignored.
  /// Returns when none that comes from now on is lost.
  init() throws(ProcessSignalSource.StartError) {
    let signals = JobControlSignal.ends.filter { !SignalDisposition(current: $0).isIgnored }
    _ = StrandedSignals.take(signals)
    var entries: [Entry] = []
    for signal in signals {
      do {
        entries.append(try Self.observe(signal, on: queue))
      } catch {
        Self.remove(entries)
        throw error
      }
    }
    self.entries = entries
  }

  /// Restores what was there. Returns when every signal that came before is recorded or sent again,
  /// and no record will be written any more.
  func cancel() {
    for entry in entries { entry.previous.restore(ifStill: entry.installed) }
    if let signal = entries.first?.previous.signal {
      // A signal goes to Dispatch's own thread first and to the queue then, and a source that is
      // cancelled meanwhile drops it. Registering and cancelling another source takes that thread
      // around its loop twice, so what was under way is on the queue after it.
      Self.cancel(Self.makeSource(signal, on: queue) {})
      queue.sync {}
    }
    Self.remove(entries)
    for signal in StrandedSignals.take(entries.map(\.previous.signal)) {
      kill(getpid(), signal.number)
    }
  }

  private static func remove(_ entries: [Entry]) {
    for entry in entries {
      entry.previous.restore(ifStill: entry.installed)
      if let source = entry.source { cancel(source) }
    }
  }

  private static func observe(
    _ signal: JobControlSignal,
    on queue: DispatchQueue
  ) throws(ProcessSignalSource.StartError) -> Entry {
    let previous = SignalDisposition(current: signal)
    let number = signal.number
    let record: @Sendable () -> Void = { lifecycle_pipe_write(number, 0, 0) }
    #if canImport(Darwin)
      // There a source only watches, and the default action would happen too. A handler, unlike
      // SIG_IGN, is not inherited by the programs that this one starts.
      try SignalDisposition.install(.idle, for: signal)
      let source = makeSource(signal, on: queue, handler: record)
      return Entry(previous: previous, source: source, installed: SignalDisposition.idler)
    #else
      let source = makeSource(signal, on: queue, handler: record)
      if let installed = handlerOfDispatch(signal, previous: previous) {
        return Entry(previous: previous, source: source, installed: installed)
      }
      // Dispatch believes its handler to be in place, and nobody knows what it looked like.
      cancel(source)
      try SignalDisposition.install(.recording, for: signal)
      return Entry(previous: previous, source: nil, installed: SignalDisposition.recorder)
    #endif
  }

  private static func makeSource(
    _ signal: JobControlSignal,
    on queue: DispatchQueue,
    handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
    let registered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { registered.signal() }
    source.setEventHandler(handler: handler)
    source.activate()
    registered.wait()
    return source
  }

  private static func cancel(_ source: any DispatchSourceSignal) {
    let cancelled = DispatchSemaphore(value: 0)
    source.setCancelHandler { cancelled.signal() }
    source.cancel()
    cancelled.wait()
  }

  #if !canImport(Darwin)
    /// Dispatch's handler, which the new source has installed, or found, or which is put back now;
    /// nil when the source did not install it and it was never seen.
    private static func handlerOfDispatch(
      _ signal: JobControlSignal,
      previous: SignalDisposition
    ) -> UInt? {
      let current = SignalDisposition(current: signal)
      return known.withLock { known in
        if current.handler != previous.handler {
          known = current
          return current.handler
        }
        guard let known else { return previous.isDefault ? nil : current.handler }
        if current.handler != known.handler { known.install(for: signal) }
        return known.handler
      }
    }
  #endif
}

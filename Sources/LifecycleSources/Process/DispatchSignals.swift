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
/// libdispatch on Linux installs its handler once per signal and process and never gives it back. So
/// this restores the disposition that it found, and puts Dispatch's handler back itself the next time.
struct DispatchSignals {
  private struct Entry {
    let previous: SignalDisposition
    #if canImport(Darwin)
      let source: any DispatchSourceSignal
    #endif
  }

  private var entries: [Entry] = []

  /// Begins to record the signals among `SIGTERM`, `SIGINT` and `SIGHUP` that are not ignored.
  /// Returns when none that comes from now on is lost.
  init() throws(ProcessSignalSource.StartError) {
    for signal in JobControlSignal.ends where !SignalDisposition(current: signal).isIgnored {
      do {
        entries.append(try observe(signal))
      } catch {
        cancel()
        throw error
      }
    }
  }

  #if canImport(Darwin)
    private let queue = DispatchQueue(label: "lifecycle.process-signals")

    private func observe(_ signal: JobControlSignal) throws(ProcessSignalSource.StartError) -> Entry
    {
      let previous = SignalDisposition(current: signal)
      // There a source only watches, and the default action would happen too. A handler, unlike
      // SIG_IGN, is not inherited by the programs that this one starts.
      try SignalDisposition.install(.idle, for: signal)
      let number = signal.number
      let source = DispatchSource.makeSignalSource(signal, on: queue) {
        lifecycle_pipe_write(number)
      }
      return Entry(previous: previous, source: source)
    }

    /// Restores what was there. Returns when every signal that came before is recorded, and no record
    /// will be written any more.
    func cancel() {
      for entry in entries { entry.previous.restore(ifStill: SignalDisposition.idler) }
      if let signal = entries.first?.previous.signal {
        // A source that is cancelled drops the signals that are on their way to its queue.
        // Registering and cancelling another one takes Dispatch around its loop twice.
        DispatchSource.makeSignalSource(signal, on: queue) {}.cancelAndWait()
        queue.sync {}
      }
      for entry in entries { entry.source.cancelAndWait() }
    }
  #else
    private func observe(
      _ signal: JobControlSignal
    ) throws(ProcessSignalSource.StartError) -> Entry {
      let previous = SignalDisposition(current: signal)
      try SignalRelay.connect(signal, previous: previous)
      return Entry(previous: previous)
    }

    /// Restores what was there. What the relays take from now on is sent again.
    func cancel() {
      for entry in entries {
        SignalRelay.disconnect(entry.previous.signal, restoring: entry.previous)
      }
    }
  #endif
}

extension DispatchSource {
  /// A source that is registered when this returns.
  static func makeSignalSource(
    _ signal: JobControlSignal,
    on queue: DispatchQueue,
    handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = makeSignalSource(signal: signal.number, queue: queue)
    let registered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { registered.signal() }
    source.setEventHandler(handler: handler)
    source.activate()
    registered.wait()
    return source
  }
}

extension DispatchSourceSignal {
  /// Cancels the source. Returns when its handler runs no more. Not on the source's queue.
  func cancelAndWait() {
    let cancelled = DispatchSemaphore(value: 0)
    setCancelHandler { cancelled.signal() }
    cancel()
    cancelled.wait()
  }
}

#if canImport(Darwin)
  // Dispatch's sources may be used on any thread.
  extension DispatchSignals: @unchecked Sendable {}
#endif

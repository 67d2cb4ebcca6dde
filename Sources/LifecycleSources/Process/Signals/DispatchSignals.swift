import CLifecycleShims
import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// The signals that end the process, observed through Dispatch, beside other users of Dispatch.
///
/// On Linux, libdispatch installs its handler once per signal and process and never removes it.
/// Therefore this type restores the disposition that it found, and reinstalls Dispatch's handler
/// itself the next time.
struct DispatchSignals {
  private struct Entry {
    let previous: SignalDisposition
    #if canImport(Darwin)
      /// Dispatch's sources may be used on any thread.
      let source: UncheckedSendable<any DispatchSourceSignal>
    #endif
  }

  private var entries: [Entry] = []

  /// The signals that it records.
  var signals: [JobControlSignal] { entries.map(\.previous.signal) }

  /// Begins to record those of the given signals that end the process and are not ignored.
  ///
  /// After it returns, no signal that arrives is lost.
  init(_ signals: ProcessSignalSource.Signals) throws(ProcessSignalSource.StartError) {
    for signal in JobControlSignal.ends
    where signals.includes(signal) && !SignalDisposition(current: signal).isIgnored {
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
      // On Darwin, a source only watches, and the default action would happen too. Unlike SIG_IGN,
      // a handler is not inherited by the programs that this process starts.
      previous.keepForChild(replacedBy: SignalDisposition.idler)
      try SignalDisposition.install(.idle, for: signal)
      let number = signal.number
      let source = DispatchSource.makeSignalSource(signal, on: queue) {
        lifecycle_pipe_write(number)
      }
      return Entry(previous: previous, source: UncheckedSendable(source))
    }

    /// Restores the previous dispositions.
    ///
    /// Returns when every earlier signal is recorded, and no more records will be written.
    func cancel() {
      for entry in entries { entry.previous.restore(ifStill: SignalDisposition.idler) }
      if let signal = entries.first?.previous.signal {
        // A cancelled source drops the signals that are on their way to its queue. Registering and
        // cancelling another source makes Dispatch go around its loop twice.
        DispatchSource.makeSignalSource(signal, on: queue) {}.cancelAndWait()
        queue.sync {}
      }
      for entry in entries { entry.source.value.cancelAndWait() }
    }
  #else
    private func observe(
      _ signal: JobControlSignal
    ) throws(ProcessSignalSource.StartError) -> Entry {
      let previous = SignalDisposition(current: signal)
      try SignalRelay.connect(signal, previous: previous)
      return Entry(previous: previous)
    }

    /// Restores the previous dispositions. The relays resend every signal that they receive from
    /// then on.
    func cancel() {
      for entry in entries {
        SignalRelay.disconnect(entry.previous.signal, restoring: entry.previous)
      }
    }
  #endif
}

extension DispatchSource {
  /// Returns a source that is already registered.
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
  /// Cancels the source, and returns when its handler no longer runs.
  ///
  /// Do not call this method on the source's queue.
  ///
  /// - Returns: False if the deadline has passed first.
  @discardableResult
  func cancelAndWait(until deadline: DispatchTime = .distantFuture) -> Bool {
    let cancelled = DispatchSemaphore(value: 0)
    setCancelHandler { cancelled.signal() }
    cancel()
    return cancelled.wait(timeout: deadline) == .success
  }
}

import LifecycleSupport

#if !canImport(Darwin)
  import CLifecycleShims
  import Dispatch
  import ReactiveLifecycle

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Dispatch's source for one of the signals that end the process: made by the first connection, and
  /// kept after the last.
  ///
  /// libdispatch reads signals from a signalfd(2), which may take a signal of the process before the
  /// thread that was to run the handler does, whatever the handler; and a source that is cancelled drops
  /// what was read and not handled. So no moment is safe to cancel one. While no engine is there, the
  /// source sends what it gets again, to what the program has installed.
  ///
  /// Dispatch's sources may be used on any thread.
  struct SignalRelay: @unchecked Sendable {
    private let source: any DispatchSourceSignal
    /// The handler that was installed for the engine, while that records the signal.
    private var installed: UInt?
    /// Dispatch's handler, unless another one had to do.
    private var handlerOfDispatch: UInt?

    private static let queue = DispatchQueue(label: "lifecycle.process-signals")
    private static let relays = Locked<[JobControlSignal: SignalRelay]>([:])
    /// Dispatch's handler, which is one for all signals, once it has been seen.
    private static let known = Locked<SignalDisposition?>(nil)

    /// Has the signal recorded from now on. The pipe is open.
    ///
    /// - Parameter previous: The disposition that is in force.
    static func connect(
      _ signal: JobControlSignal,
      previous: SignalDisposition
    ) throws(ProcessSignalSource.StartError) {
      // One that gives up in the middle of this is made again.
      repeat {
        if relays.withLock({ $0[signal] == nil }) {
          let relay = SignalRelay(source: makeSource(signal))
          relays.withLock { $0[signal] = relay }
        }
      } while try !connectRelay(signal, previous: previous)
    }

    /// Returns false if there is no relay.
    private static func connectRelay(
      _ signal: JobControlSignal,
      previous: SignalDisposition
    ) throws(ProcessSignalSource.StartError) -> Bool {
      let result = relays.withLock { relays -> Result<Bool, ProcessSignalSource.StartError> in
        guard relays[signal] != nil else { return .success(false) }
        do throws(ProcessSignalSource.StartError) {
          let installed = try install(for: signal, previous: previous)
          relays[signal]?.installed = installed
          if installed != SignalDisposition.recorder {
            relays[signal]?.handlerOfDispatch = installed
          }
          return .success(true)
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }

    /// Restores what was there, if that is still to be done, and has the signal sent again from now on.
    static func disconnect(_ signal: JobControlSignal, restoring previous: SignalDisposition) {
      relays.withLock { relays in
        guard let installed = relays[signal]?.installed else { return }
        previous.restore(ifStill: installed)
        relays[signal]?.installed = nil
      }
    }

    private static func makeSource(_ signal: JobControlSignal) -> any DispatchSourceSignal {
      // A signal that a source of the program has left behind waits for any source, however old it is.
      let isStranded = ThreadSignalMasks.isPending(signal)
      let discards = Locked(isStranded)
      let source = DispatchSource.makeSignalSource(signal, on: queue) {
        if !discards.withLock({ $0 }) { take(signal) }
      }
      if isStranded {
        // Registering and cancelling another source takes Dispatch around its loop twice. The old
        // signal is pending until Dispatch has read it, and on the queue one such round later.
        for _ in 0..<100 where ThreadSignalMasks.isPending(signal) { takeDispatchAround(signal) }
        takeDispatchAround(signal)
        queue.sync {}
        discards.withLock { $0 = false }
      }
      return source
    }

    private static func takeDispatchAround(_ signal: JobControlSignal) {
      DispatchSource.makeSignalSource(signal, on: queue) {}.cancelAndWait()
    }

    /// Records a signal, or sends it again. Neither changes while this runs.
    private static func take(_ signal: JobControlSignal) {
      relays.withLock { relays in
        // Before its first connection has come that far, a relay is not among them.
        if let relay = relays[signal], relay.installed == nil {
          sendAgain(signal, relay, &relays)
        } else {
          lifecycle_pipe_write(signal.number)
        }
      }
    }

    private static func sendAgain(
      _ signal: JobControlSignal,
      _ relay: SignalRelay,
      _ relays: inout [JobControlSignal: SignalRelay]
    ) {
      let disposition = SignalDisposition(current: signal)
      // With Dispatch's handler the program's own sources have got it, too.
      let isOver = disposition.isIgnored || disposition.handler == relay.handlerOfDispatch
      guard !isOver else { return }
      guard ThreadSignalMasks.isBlockedEverywhere(signal) else {
        kill(getpid(), signal.number)
        return
      }
      // Nobody takes it as fast as this source does: the program calls sigwait(3) for it, say.
      relays[signal] = nil
      relay.source.setCancelHandler { kill(getpid(), signal.number) }
      relay.source.cancel()
    }

    /// Installs the handler through which the relay gets the signal.
    private static func install(
      for signal: JobControlSignal,
      previous: SignalDisposition
    ) throws(ProcessSignalSource.StartError) -> UInt {
      if let handler = handlerOfDispatch(signal, previous: previous) { return handler }
      // Dispatch believes its handler to be in place, and nobody knows what it looked like.
      try SignalDisposition.install(.recording, for: signal)
      return SignalDisposition.recorder
    }

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
  }
#endif

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

  /// Dispatch's source for one of the signals that end the process.
  ///
  /// The first connection creates it, and it is kept after the last one.
  ///
  /// libdispatch reads signals from a signalfd(2), which may take a signal of the process before
  /// the thread that was to run the handler does, whatever the handler. In addition, a cancelled
  /// source drops signals that were read but not handled. So no moment is safe for cancelling a
  /// source. While there is no engine, the source resends the signals that it receives, to the
  /// disposition that the program has installed.
  struct SignalRelay {
    /// Dispatch's sources may be used on any thread.
    private let source: UncheckedSendable<any DispatchSourceSignal>
    /// The handler that was installed for the engine, while the engine records the signal.
    private var installed: UInt?
    /// Dispatch's handler, unless another handler had to be used.
    private var handlerOfDispatch: UInt?

    private static let queue = DispatchQueue(label: "lifecycle.process-signals")
    private static let relays = Locked<[JobControlSignal: SignalRelay]>([:])
    /// Dispatch's handler, which is the same for all signals, once it has been seen.
    private static let known = Locked<SignalDisposition?>(nil)

    /// Records the signal from now on. The pipe must be open.
    ///
    /// - Parameter previous: The disposition that is in force.
    static func connect(
      _ signal: JobControlSignal,
      previous: SignalDisposition
    ) throws(ProcessSignalSource.StartError) {
      // A relay that gives up in the middle of this is created again.
      repeat {
        if relays.withLock({ $0[signal] == nil }) {
          try requireDescriptors(for: signal)
          let source = SystemDescriptor.keepingAboveStreams { makeSource(signal) }
          let relay = SignalRelay(source: UncheckedSendable(source))
          relays.withLock { $0[signal] = relay }
        }
      } while try !connectRelay(signal, previous: previous)
    }

    /// Connects the relay; returns false if there is none.
    private static func connectRelay(
      _ signal: JobControlSignal,
      previous: SignalDisposition
    ) throws(ProcessSignalSource.StartError) -> Bool {
      try relays.withLock { relays throws(ProcessSignalSource.StartError) -> Bool in
        guard relays[signal] != nil else { return false }
        let installed = try install(for: signal, previous: previous)
        previous.keepForChild(replacedBy: installed)
        relays[signal]?.installed = installed
        if installed != SignalDisposition.recorder {
          relays[signal]?.handlerOfDispatch = installed
        }
        return true
      }
    }

    /// Restores the previous disposition, if that is still to be done, and resends the signal from
    /// now on.
    static func disconnect(_ signal: JobControlSignal, restoring previous: SignalDisposition) {
      relays.withLock { relays in
        guard let installed = relays[signal]?.installed else { return }
        previous.restore(ifStill: installed)
        relays[signal]?.installed = nil
      }
    }

    /// Cancels the source of a signal that is about to end the process.
    ///
    /// - Returns: True if the source is gone; false if there is none, or if that takes too long.
    static func retire(_ signal: JobControlSignal, until deadline: DispatchTime) -> Bool {
      guard let relay = relays.withLock({ $0[signal] }) else { return false }
      return relay.source.value.cancelAndWait(until: deadline)
    }

    /// Checks that descriptors are left for a source. Dispatch ends the process if it lacks one.
    ///
    /// A source needs a signalfd(2), and the first one of a process an epoll(7) instance and an
    /// eventfd(2), too.
    private static func requireDescriptors(
      for signal: JobControlSignal
    ) throws(ProcessSignalSource.StartError) {
      var descriptors: [Int32] = []
      defer { for descriptor in descriptors { close(descriptor) } }
      for _ in 0..<3 {
        let descriptor = SystemDescriptor.open("/", O_RDONLY | O_DIRECTORY)
        if descriptor >= 0 {
          descriptors.append(descriptor)
        } else if let shortage = ProcessSignalSource.StartError(
          opening: signal.name,
          shortage: errno
        ) {
          throw shortage
        }
      }
    }

    private static func makeSource(_ signal: JobControlSignal) -> any DispatchSourceSignal {
      // A signal that a source of the program has left behind waits for any source, however old it
      // is.
      let isStranded = ThreadSignalMasks.isPending(signal)
      let discards = Locked(isStranded)
      let source = DispatchSource.makeSignalSource(signal, on: queue) {
        if !discards.withLock({ $0 }) { take(signal) }
      }
      if isStranded {
        // Registering and cancelling another source makes Dispatch go around its loop twice. The
        // old signal is pending until Dispatch has read it, and is on the queue one such round
        // later.
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

    /// Records a signal, or resends it. The choice does not change while this method runs.
    private static func take(_ signal: JobControlSignal) {
      relays.withLock { relays in
        // A relay is not in `relays` before its first connection has come that far.
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
      // With Dispatch's handler, the program's own sources have received the signal, too.
      let isOver = disposition.isIgnored || disposition.handler == relay.handlerOfDispatch
      guard !isOver else { return }
      guard ThreadSignalMasks.isBlockedEverywhere(signal) else {
        kill(getpid(), signal.number)
        return
      }
      // No other reader is as fast as this source: the program may be calling sigwait(3), for
      // example.
      relays[signal] = nil
      relay.source.value.setCancelHandler { kill(getpid(), signal.number) }
      relay.source.value.cancel()
    }

    /// Installs the handler through which the relay receives the signal.
    private static func install(
      for signal: JobControlSignal,
      previous: SignalDisposition
    ) throws(ProcessSignalSource.StartError) -> UInt {
      if let handler = handlerOfDispatch(signal, previous: previous) { return handler }
      // Dispatch considers its handler to be in place, and that handler is not known.
      try SignalDisposition.install(.recording, for: signal)
      return SignalDisposition.recorder
    }

    /// Returns Dispatch's handler, which the new source has installed or found, or which is now
    /// reinstalled; nil if the source did not install it and it was never seen.
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

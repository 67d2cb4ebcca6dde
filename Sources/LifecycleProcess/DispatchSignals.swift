import CLifecycleShims
import Dispatch
import LifecycleCore
import LifecycleSupport

/// The signals that end the process, observed through Dispatch, beside other users of Dispatch.
///
/// On Linux, libdispatch installs its handler once per signal and process and never removes it.
/// Therefore this type restores the disposition that it found, and reinstalls Dispatch's handler
/// itself the next time.
struct DispatchSignals {
  private var entries: [Entry] = []

  /// The signals that it observes.
  var signals: [JobControlSignal] { entries.map(\.previous.signal) }

  /// Begins to pass those of the given signals that end the process and are not ignored to the
  /// pipe.
  ///
  /// After it returns, no signal that arrives is lost.
  init(_ signals: ProcessSignalSource.Signals) throws {
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
}

#if canImport(Darwin)
  extension DispatchSignals {
    private struct Entry {
      let previous: SignalDisposition
      /// Dispatch's sources may be used on any thread.
      let source: UncheckedSendable<any DispatchSourceSignal>
    }

    private static let queue = DispatchQueue(label: "lifecycle.process-signals")

    private func observe(_ signal: JobControlSignal) throws -> Entry {
      // On Darwin, a source only watches, and the default action would happen too. Unlike SIG_IGN,
      // a handler is not inherited by the programs that this process starts.
      let previous = try SignalDisposition.replace(signal, by: .idle)
      let number = signal.number
      let source = DispatchSource.makeSignalSource(signal, on: Self.queue) {
        lifecycle_pipe_post(number)
      }
      return Entry(previous: previous, source: UncheckedSendable(source))
    }

    /// Restores the previous dispositions.
    ///
    /// Returns when every earlier signal is in the pipe, and no more signals will be.
    func cancel() {
      let idle = SignalDisposition.Handler.idle.number
      for entry in entries { entry.previous.restore(ifStill: idle) }
      if let signal = entries.first?.previous.signal {
        // A cancelled source drops the signals that are on their way to its queue. Registering and
        // cancelling another source makes Dispatch go around its loop twice.
        DispatchSource.makeSignalSource(signal, on: Self.queue) {}.cancelAndWait()
        Self.queue.sync {}
      }
      for entry in entries { entry.source.value.cancelAndWait() }
    }

    /// Returns false: Dispatch leaves no trace of its other users.
    static func hasOtherReader(of signal: JobControlSignal, within time: DispatchTimeInterval)
      -> Bool
    {
      false
    }
  }
#else
  extension DispatchSignals {
    private struct Entry { let previous: SignalDisposition }

    private func observe(_ signal: JobControlSignal) throws -> Entry {
      let previous = SignalDisposition(current: signal)
      try SignalRelay.connect(previous)
      return Entry(previous: previous)
    }

    /// Restores the previous dispositions. The relays resend every signal that they receive from
    /// then on.
    func cancel() {
      for entry in entries { SignalRelay.disconnect(entry.previous) }
    }

    /// Returns true if another party of the program observes the signal through Dispatch. Call this
    /// method last: the relay of the signal is gone after it.
    ///
    /// Dispatch has a signalfd(2) for each signal for as long as it has a source for it, and the
    /// relay's source is one of them.
    static func hasOtherReader(of signal: JobControlSignal, within time: DispatchTimeInterval)
      -> Bool
    {
      let deadline = DispatchTime.now() + time
      return SignalRelay.retire(signal, until: deadline)
        && ProcessFiles.hasReader(of: signal, until: deadline)
    }
  }

  /// Dispatch's source for one of the signals that end the process.
  ///
  /// The first connection creates it, and it is kept after the last one.
  ///
  /// libdispatch reads signals from a signalfd(2), which may take a signal of the process before
  /// the thread that was to run the handler does, whatever the handler. In addition, a cancelled
  /// source drops signals that were read but not handled. So no moment is safe for cancelling a
  /// source. While there is no engine, the source resends the signals that it receives, to the
  /// disposition that the program has installed.
  private struct SignalRelay {
    /// Dispatch's sources may be used on any thread.
    private let source: UncheckedSendable<any DispatchSourceSignal>
    /// The handler that was installed for the engine, while the engine takes the signal.
    private var installed: UInt?
    /// Dispatch's handler, unless another handler had to be used.
    private var handlerOfDispatch: UInt?

    private static let queue = DispatchQueue(label: "lifecycle.process-signals")
    private static let relays = Locked<[JobControlSignal: SignalRelay]>([:])
    /// Dispatch's handler, which is the same for all signals, once it has been seen.
    private static let known = Locked<SignalDisposition?>(nil)

    /// Passes the signal to the pipe, which must be open, from now on.
    ///
    /// - Parameter previous: The signal's disposition that is in force.
    static func connect(_ previous: SignalDisposition) throws {
      let signal = previous.signal
      var isConnected = false
      // A relay that gives up in the middle of this is created again.
      while !isConnected {
        if relays.withLock({ $0[signal] == nil }) {
          try requireDescriptors(for: signal)
          try requireThreads(relays.withLock { $0.isEmpty } ? 3 : 1)
          let source = SystemDescriptor.keepingAboveStreams { makeSource(signal) }
          let relay = SignalRelay(source: UncheckedSendable(source))
          relays.withLock { $0[signal] = relay }
        }
        isConnected = try relays.withLock { relays in
          guard relays[signal] != nil else { return false }
          let installed = try install(previous)
          previous.keepForChild(replacedBy: installed)
          relays[signal]?.installed = installed
          if installed != SignalDisposition.Handler.posting.number {
            relays[signal]?.handlerOfDispatch = installed
          }
          return true
        }
      }
    }

    /// Restores the previous disposition, if that is still to be done, and resends the signal from
    /// now on.
    static func disconnect(_ previous: SignalDisposition) {
      relays.withLock { relays in
        guard let installed = relays[previous.signal]?.installed else { return }
        previous.restore(ifStill: installed)
        relays[previous.signal]?.installed = nil
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
    private static func requireDescriptors(for signal: JobControlSignal) throws {
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

    /// Checks that threads are left for a source. Dispatch waits for one that it lacks.
    ///
    /// For the first source of a process, it has one thread that waits for the system, and others
    /// that run handlers.
    private static func requireThreads(_ count: Int) throws {
      let mayEnd = DispatchSemaphore(value: 0)
      var threads: [SignalThread] = []
      defer {
        for _ in threads { mayEnd.signal() }
        for thread in threads { thread.join() }
      }
      for _ in 0..<count {
        threads.append(try SignalThread(named: "lifecycle-check") { mayEnd.wait() })
      }
    }

    private static func makeSource(_ signal: JobControlSignal) -> any DispatchSourceSignal {
      // A signal that a source of the program has left behind waits for any source, however old it
      // is.
      let isStranded = ProcessFiles.isPending(signal)
      let discards = Locked(isStranded)
      let source = DispatchSource.makeSignalSource(signal, on: queue) {
        if !discards.withLock({ $0 }) { take(signal) }
      }
      if isStranded {
        // Registering and cancelling another source makes Dispatch go around its loop twice. The
        // old signal is pending until Dispatch has read it, and is on the queue one such round
        // later.
        for _ in 0..<100 where ProcessFiles.isPending(signal) { takeDispatchAround(signal) }
        takeDispatchAround(signal)
        queue.sync {}
        discards.withLock { $0 = false }
      }
      return source
    }

    private static func takeDispatchAround(_ signal: JobControlSignal) {
      DispatchSource.makeSignalSource(signal, on: queue) {}.cancelAndWait()
    }

    /// Passes a signal to the pipe, or resends it. The choice does not change while this method
    /// runs.
    private static func take(_ signal: JobControlSignal) {
      relays.withLock { relays in
        // A relay is not in `relays` before its first connection has come that far.
        guard let relay = relays[signal], relay.installed == nil else {
          lifecycle_pipe_post(signal.number)
          return
        }
        let disposition = SignalDisposition(current: signal)
        // With Dispatch's handler, the program's own sources have received the signal, too.
        if disposition.isIgnored || disposition.handler == relay.handlerOfDispatch { return }
        guard ProcessFiles.isBlockedEverywhere(signal) else {
          kill(getpid(), signal.number)
          return
        }
        // No other reader is as fast as this source: the program may be calling sigwait(3), for
        // example.
        relays[signal] = nil
        relay.source.value.setCancelHandler { kill(getpid(), signal.number) }
        relay.source.value.cancel()
      }
    }

    /// Installs the handler through which the relay receives the signal, and returns it: if
    /// possible, Dispatch's, which the new source has installed or found, or which is reinstalled.
    private static func install(_ previous: SignalDisposition) throws -> UInt {
      let signal = previous.signal
      let current = SignalDisposition(current: signal)
      return try known.withLock { known in
        if current.handler != previous.handler {
          known = current
        } else if let known, known.handler != current.handler {
          known.install(for: signal)
          return known.handler
        } else if known == nil, previous.isDefault {
          // Dispatch considers its handler to be in place, and that handler was never seen.
          try SignalDisposition.install(.posting, for: signal)
          return SignalDisposition.Handler.posting.number
        }
        return current.handler
      }
    }
  }

  /// The signals of this process in its files, as proc(5) describes them.
  enum ProcessFiles {
    /// Returns true if the signal is pending for a single thread, which blocks it.
    ///
    /// Dispatch's handler passes every signal to Dispatch's own thread, where it waits for a source
    /// to read it. Without a source, it waits forever.
    fileprivate static func isPending(_ signal: JobControlSignal) -> Bool {
      masksOfThreads("SigPnd").contains { $0 & signal.bit != 0 }
    }

    /// Returns true if there is no thread on which a handler of the signal could run.
    fileprivate static func isBlockedEverywhere(_ signal: JobControlSignal) -> Bool {
      masksOfThreads("SigBlk").allSatisfy { $0 & signal.bit != 0 }
    }

    /// Returns true if a descriptor of Dispatch reads the signal; false if none is found in time.
    ///
    /// A descriptor that stays open in another program may come from the parent of the process.
    static func hasReader(of signal: JobControlSignal, until deadline: DispatchTime) -> Bool {
      for descriptor in names(in: "/proc/self/fdinfo") {
        guard .now() < deadline else { return false }
        guard fcntl(Int32(descriptor), F_GETFD) & FD_CLOEXEC != 0 else { continue }
        let set = mask("sigmask", in: "/proc/self/fdinfo/\(descriptor)") ?? 0
        if set & signal.bit != 0 { return true }
      }
      return false
    }

    private static func masksOfThreads(_ name: String) -> [UInt64] {
      names(in: "/proc/self/task").compactMap { mask(name, in: "/proc/self/task/\($0)/status") }
    }

    /// Returns the entries of a directory that are numbers; none if it can't be read.
    private static func names(in directory: String) -> [UInt32] {
      let descriptor = SystemDescriptor.open(directory, O_RDONLY | O_DIRECTORY)
      guard descriptor >= 0 else { return [] }
      guard let stream = fdopendir(descriptor) else {
        close(descriptor)
        return []
      }
      defer { closedir(stream) }
      var names: [UInt32] = []
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let number = UInt32(name) { names.append(number) }
      }
      return names
    }

    /// Returns the set of signals in a line `name:` of a file; nil if there is none.
    private static func mask(_ name: String, in path: String) -> UInt64? {
      let start = "\n\(name):"
      guard let text = KernelFile.text(at: path) else { return nil }
      return text.withCString { strstr($0, start).map { strtoull($0 + start.utf8.count, nil, 16) } }
    }
  }
#endif

extension DispatchSource {
  /// Returns a source that is already registered.
  fileprivate static func makeSignalSource(
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
  fileprivate func cancelAndWait(until deadline: DispatchTime = .distantFuture) -> Bool {
    let cancelled = DispatchSemaphore(value: 0)
    setCancelHandler { cancelled.signal() }
    cancel()
    return cancelled.wait(timeout: deadline) == .success
  }
}

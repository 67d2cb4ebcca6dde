#if os(Linux)
  import CLifecycleShims
  import LifecycleSources
  import LifecycleSupport

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A thread that does nothing, and notices that something has kept it from that.
  ///
  /// It blocks all signals and waits in epoll_wait(2), which is then interrupted only if the
  /// process was stopped, frozen, or held by a debugger, as signal(7) says, or by the C library
  /// itself, as in setuid(2): so it is half of the evidence. The other threads can't tell: their
  /// waits are interrupted by handlers, too, or are continued by the kernel without a word.
  final class InterruptionSensor: Sendable {
    private let epoll: Int32
    private let event: Int32
    private let thread = Locked<SignalThread?>(nil)

    /// Starts the thread, which calls the body after each interruption.
    ///
    /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
    init(_ body: @escaping @Sendable () -> Void) throws(ProcessSignalSource.StartError) {
      epoll = SystemDescriptor.aboveStreams(lifecycle_epoll_open())
      event = epoll < 0 ? -1 : SystemDescriptor.aboveStreams(lifecycle_event_open())
      guard event >= 0, lifecycle_epoll_add(epoll, event) else {
        let failure = SystemFile.lastErrorNumber
        closeDescriptors()
        throw .init(step: .descriptor(of: "the sensor of pauses"), errno: failure)
      }
      do throws(ProcessSignalSource.StartError) {
        let thread = try SignalThread(named: "lifecycle-pause") { [epoll] in
          while lifecycle_is_interrupted(epoll) { body() }
        }
        self.thread.withLock { $0 = thread }
      } catch {
        closeDescriptors()
        throw error
      }
    }

    func close() {
      var one: UInt64 = 1
      _ = write(event, &one, MemoryLayout.size(ofValue: one))
      thread.withLock { thread in
        thread?.join()
        thread = nil
      }
      closeDescriptors()
    }

    private func closeDescriptors() {
      for descriptor in [epoll, event] where descriptor >= 0 { SystemFile.close(descriptor) }
    }
  }
#endif

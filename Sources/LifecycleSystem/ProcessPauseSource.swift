import CLifecycleShims
public import LifecycleCore
import LifecycleProcess
import LifecycleSupport

/// Feeds a bus when the process was paused without having seen it coming, once it continues.
///
/// | the process was paused by | what the bus receives |
/// | --- | --- |
/// | the freezer of its control group (version 2), as by `docker pause` | `processWasPaused`; the time is known from Linux 6.18 on |
/// | `SIGSTOP`, while a bus is connected to `.processSignals()` | `processWasPaused`, without the time |
/// | anything, with a heartbeat | `processWasPaused`, with the time |
/// | Ctrl-Z and `fg`, while a bus is connected to `.processSignals()` | nothing: the signals report that |
/// | sleep of the machine | nothing: ``SystemClockSource`` reports that |
///
/// ```swift
/// try bus.connect(.processPauses(heartbeat: .seconds(1)), in: scope)
/// bus.addObserver(for: [.processWasPaused], in: scope) { event in
///   print("paused for \(event.timePaused ?? .zero): \(event.pauseCause ?? .unknown)")
/// }
/// ```
///
/// Without a heartbeat, the process is woken by the kernel alone, and never by time. A heartbeat
/// wakes it once per interval. It notices a pause of any cause that lasts for two intervals, and
/// makes the time of every pause known, which then is at most an interval too long. The freezer of
/// control groups of version 1 reports nothing: there, only a heartbeat notices it. If the process
/// was moved to another control group, the source watches that one as soon as the former group has
/// no process.
///
/// Unavailable on Apple platforms, where the system suspends and reports that itself.
///
/// > Note: The rules come from the kernel's `Documentation/admin-guide/cgroup-v2.rst`
/// > (`cgroup.events`, `cgroup.stat.local`), and from `signal(7)`.
public struct ProcessPauseSource: SystemSource {
  /// The name of the source, `processPauses`.
  public var name: LifecycleSourceName { "processPauses" }

  let heartbeat: Duration?
}

extension LifecycleSource where Self == ProcessPauseSource {
  /// Pauses of the process that nothing has announced.
  ///
  /// ```swift
  /// try bus.connect(.processPauses(), in: scope)
  /// ```
  ///
  /// - Parameter heartbeat: The interval at which the process wakes up to notice gaps, at least
  ///   10 ms, not counting the time that the machine sleeps; nil for none, which costs nothing
  ///   while the process is idle.
  public static func processPauses(heartbeat: Duration? = nil) -> Self {
    Self(heartbeat: heartbeat.map { max($0, .milliseconds(10)) })
  }
}

/// The cause of a pause that the process did not see coming.
@nonexhaustive
public enum ProcessPauseCause: String, Hashable, Sendable {
  /// A `SIGSTOP`.
  case stopped
  /// The freezer of the control group, as `docker pause` uses it.
  case frozen
  /// None of the above: a paused virtual machine, or one with too few processors. Also a stop of a
  /// process that is connected to no signals.
  case unknown
}

extension LifecycleEvent {
  package static let timePausedKey = "timePaused"
  package static let pauseCauseKey = "pauseCause"

  /// The time for which the process was paused, without sleep of the machine, from the metadata
  /// that ``ProcessPauseSource`` adds if it knows the time; nil if the event has none.
  public var timePaused: Duration? { metadataDuration(Self.timePausedKey) }

  /// The cause of a pause of the process, from the metadata that ``ProcessPauseSource`` adds; nil
  /// if the event has none.
  public var pauseCause: ProcessPauseCause? {
    metadata[Self.pauseCauseKey].flatMap(ProcessPauseCause.init)
  }
}

#if os(Linux)
  extension ProcessPauseSource {
    /// The facility by which the source reports, or the reason why it reports nothing.
    ///
    /// It reports with a heartbeat, and in a control group that can be frozen. A `SIGSTOP` is
    /// noticed wherever signals are connected.
    public var availability: SystemAvailability {
      let beat = heartbeat.map { "a heartbeat of \($0)" }
      do throws(SystemFailure) {
        try FreezerEvents().close()
        return .available(by: "the control group" + (beat.map { " and \($0)" } ?? ""))
      } catch {
        guard let beat else {
          return .unavailable(because: "\(error.reason), and there is no heartbeat")
        }
        return .available(by: "\(beat) alone: \(error.reason)")
      }
    }

    /// Starts waiting for pauses.
    ///
    /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
    public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
      let watch = try PauseWatch(heartbeat: heartbeat, feed)
      return try ProcessThread.run([watch]) { watch.close() }
    }
  }

  /// The watch that notices that the process was paused.
  final class PauseWatch: ProcessWatch {
    private struct State {
      var machine: PauseMachine
      var events: FreezerEvents?
    }

    private let state: Locked<State>
    private let sensor: InterruptionSensor
    /// On while the sensor has noticed something that the machine does not know yet.
    private let isInterrupted: SharedFlag
    private let feed: LifecycleFeed
    private let now: @Sendable () -> SuspendingClock.Instant

    init(
      heartbeat: Duration?,
      _ feed: LifecycleFeed,
      now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }
    ) throws(ProcessSignalSource.StartError) {
      let isInterrupted = SharedFlag()
      self.isInterrupted = isInterrupted
      let events = try availableResult { () throws(SystemFailure) in try FreezerEvents() }
      do throws(ProcessSignalSource.StartError) {
        sensor = try InterruptionSensor {
          isInterrupted.set(true)
          ProcessThread.wake()
        }
      } catch {
        events?.close()
        throw error
      }
      self.feed = feed
      self.now = now
      let machine = PauseMachine(
        heartbeat: heartbeat,
        frozenTime: events?.frozenTime,
        at: now()
      )
      state = Locked(State(machine: machine, events: events))
    }

    var interest: ProcessWatchInterest {
      let (events, deadline) = state.withLock { ($0.events, $0.machine.deadline) }
      return ProcessWatchInterest(
        descriptor: events?.descriptor,
        events: Int16(POLLPRI),
        deadline: isInterrupted.isOn ? .now : deadline
      )
    }

    func handle(_ moment: ProcessWatchMoment) {
      switch moment {
      case .ready: readEvents()
      case .deadline:
        if isInterrupted.isOn {
          isInterrupted.set(false)
          noteEvidence(.interrupted)
        }
        note(.deadline)
      case .didResume: note(.resumed)
      case .continued: noteEvidence(.continued)
      case .willStop, .willEnd, .terminal: break
      }
    }

    private func readEvents() {
      guard let events = state.withLock({ $0.events }) else { return }
      switch events.state {
      case .left: followProcess()
      // About to be frozen, or just thawed: another report follows.
      case .frozen: break
      case .running: note(.thawed(total: events.frozenTime))
      }
    }

    /// Notes half of the evidence of a stop, after a thaw, which explains it.
    private func noteEvidence(_ input: PauseMachine.Input) {
      if let descriptor = state.withLock({ $0.events?.descriptor }) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        if poll(&entry, 1, 0) > 0 { readEvents() }
      }
      note(input)
    }

    /// Watches the control group that the process has moved to.
    private func followProcess() {
      closeEvents()
      // Without that group's file, only a heartbeat notices a pause.
      let events = try? FreezerEvents()
      let frozenTime = events?.frozenTime
      state.withLock { state in
        state.events = events
        state.machine.changeGroup(frozenTime: frozenTime)
      }
    }

    private func note(_ input: PauseMachine.Input) {
      guard let pause = state.withLock({ $0.machine.handle(input, at: now()) }) else { return }
      var metadata = [LifecycleEvent.pauseCauseKey: pause.cause.rawValue]
      metadata[LifecycleEvent.timePausedKey] = pause.time?.text
      feed.post(.processWasPaused, metadata)
    }

    func close() {
      sensor.close()
      closeEvents()
    }

    private func closeEvents() {
      state.withLock { $0.events.take() }?.close()
    }
  }

  /// A thread that does nothing, and notices that something has kept it from that.
  ///
  /// It blocks all signals and waits in epoll_wait(2), which is then interrupted only if the
  /// process was stopped, frozen, or held by a debugger, as signal(7) says, or by the C library
  /// itself, as in setuid(2): so it is half of the evidence. The other threads can't notice that:
  /// their waits are interrupted by handlers, too, or are continued by the kernel unnoticed.
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
        let failure = errno
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
      for descriptor in [epoll, event] where descriptor >= 0 { SystemDescriptor.close(descriptor) }
    }
  }

#endif

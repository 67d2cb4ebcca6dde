import LifecycleSources
public import ReactiveLifecycle

/// Feeds a bus when the machine has slept, and when its wall clock was set.
///
/// | what happens | what the bus receives |
/// | --- | --- |
/// | the machine wakes up | `systemDidWake`, with ``ReactiveLifecycle/LifecycleEvent/timeAsleep`` |
/// | the wall clock is set by 0.1 s or more | `significantTimeChange`, with ``ReactiveLifecycle/LifecycleEvent/clockShift`` |
/// | the network corrects the clock slowly | nothing |
///
/// ```swift
/// try bus.connect(.systemClock()).store(in: scope)
/// bus.addObserver(for: [.systemDidWake], in: scope) { event in
///   print("slept for \(event.timeAsleep ?? .zero)")
/// }
/// ```
///
/// The kernel wakes the process for both; there is no polling, and no message bus is needed. On
/// Apple platforms, the sources of UIKit and AppKit report these events, and this one is
/// unavailable.
///
/// > Note: The rules come from `timerfd_create(2)` (`TFD_TIMER_CANCEL_ON_SET`), and from
/// > `timerfd_resume` in the kernel's `fs/timerfd.c`, which treats sleep as a setting of the clock.
public struct SystemClockSource: SystemSource {
  /// The name of the source, `systemClock`.
  public var name: LifecycleSourceName { "systemClock" }

  /// `available` on Linux.
  public var availability: SystemAvailability {
    #if os(Linux)
      do throws(SystemFailure) {
        SystemFile.close(try ClockWatch.openTimer())
        return .available(by: "a timer of the kernel")
      } catch {
        return .unavailable(because: "the system refuses \(error.reason)")
      }
    #else
      return .unavailable(because: "this platform reports it through its notification center")
    #endif
  }

  /// Starts waiting for changes.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    #if os(Linux)
      let watch = try availableResult { () throws(SystemFailure) in try ClockWatch(input) }
      guard let watch else { return {} }
      return try ProcessThread.run([watch]) { watch.close() }
    #else
      return {}
    #endif
  }
}

extension LifecycleSource where Self == SystemClockSource {
  /// Sleep of the machine and settings of its wall clock.
  ///
  /// ```swift
  /// try bus.connect(.systemClock()).store(in: scope)
  /// ```
  public static func systemClock() -> Self { Self() }
}

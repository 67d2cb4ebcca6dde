import IssueReporting
import ReactiveLifecycle

extension LifecycleBus {
  /// The bus of this process, connected to the platform's source on first use: UIApplication's
  /// notifications where there is UIKit, the process' signals elsewhere.
  ///
  /// ```swift
  /// LifecycleBus.application.addObserver(in: scope) { event, stay in refresh(after: stay.duration) }
  /// ```
  ///
  /// Use it first on the main actor: then it knows the phase that the signals' source finds when that
  /// returns. UIApplication's notifications are heard from the first use on: let that be at the launch.
  /// If the source cannot start, that is reported, and the bus knows only what is sent to it. Inside
  /// ``withApplication(_:operation:)`` it is the bus given there; the platform is left alone then.
  public static var application: LifecycleBus {
    ApplicationBus.replacement ?? ApplicationBus.shared.bus
  }

  /// Lets ``application`` be another bus for the time of an operation: for tests, which may run at the
  /// same time, and for previews.
  ///
  /// ```swift
  /// let bus = LifecycleBus(clock: ManualClock())
  /// let screen = LifecycleBus.withApplication(bus) { Screen() }
  /// ```
  ///
  /// It holds for the calling task and those that it starts, as task-local values do, and not in
  /// closures that are called from elsewhere: keep the bus when you make an object.
  ///
  /// - Parameters:
  ///   - bus: What ``application`` is meanwhile.
  ///   - operation: Runs at once, where the caller is.
  /// - Returns: What the operation returns.
  public static func withApplication<Result>(
    _ bus: LifecycleBus,
    operation: () throws -> Result
  ) rethrows -> Result {
    try ApplicationBus.$replacement.withValue(bus, operation: operation)
  }

  /// Lets ``application`` be another bus for the time of an asynchronous operation.
  ///
  /// - Parameters:
  ///   - bus: What ``application`` is meanwhile.
  ///   - isolation: The caller's actor, where the operation runs.
  ///   - operation: Runs at once, where the caller is.
  /// - Returns: What the operation returns.
  public static func withApplication<Result>(
    _ bus: LifecycleBus,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await ApplicationBus.$replacement.withValue(bus, operation: operation)
  }
}

/// The process' own bus, and the connection that feeds it as long as the process lives.
private struct ApplicationBus: Sendable {
  @TaskLocal static var replacement: LifecycleBus?

  static let shared = ApplicationBus()

  let bus = LifecycleBus()
  let connection: LifecycleConnection?

  init() {
    do {
      connection = try bus.connect(Self.source)
    } catch {
      connection = nil
      reportIssue("The bus of the application is not connected to the process: \(error)")
    }
  }

  #if canImport(UIKit) && !os(watchOS)
    private static let source = NotificationCenterSource(table: .uiApplication)
  #else
    private static let source = ProcessSignalSource.processSignals()
  #endif
}

import IssueReporting
public import ReactiveLifecycle

extension LifecycleBus {
  /// The bus of this process, connected to the platform's sources on first use:
  ///
  /// | process | sources |
  /// | --- | --- |
  /// | app extension | the notifications about its host; on macOS, where there are none, ``LifecycleSource/macExtension`` and the workspace's |
  /// | application on iOS, tvOS, visionOS, Mac Catalyst | UIApplication's notifications |
  /// | application on macOS | NSApplication's and the workspace's notifications |
  /// | application on watchOS | WatchKit's notifications |
  /// | other programs, on macOS, Linux and elsewhere | the process' signals |
  ///
  /// ```swift
  /// LifecycleBus.application.onReturn(in: scope) { stay in refresh(after: stay.duration) }
  /// ```
  ///
  /// What the process is, its bundle tells: `.appex`, `.app`, or neither. Use it first on the main actor:
  /// then it knows the phase that the sources find when that returns. If a source cannot start, that is
  /// reported, and the bus goes on without. Inside ``withApplication(_:operation:)`` it is the bus given
  /// there; the platform is left alone then.
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

/// The process' own bus, and the connections that feed it as long as the process lives.
private struct ApplicationBus: Sendable {
  @TaskLocal static var replacement: LifecycleBus?

  static let shared = ApplicationBus()

  let bus = LifecycleBus()
  private var connections: [LifecycleCancellable] = []

  init() {
    for source in Self.sources(of: .current) {
      do {
        connections.append(try bus.connect(source))
      } catch {
        reportIssue("The bus of the application is not connected to \(source.name): \(error)")
      }
    }
  }

  private static func sources(of process: ProcessKind) -> [any LifecycleSource] {
    switch process {
    case .appExtension:
      #if canImport(AppKit) && !targetEnvironment(macCatalyst)
        return [.macExtension, .workspace]
      #else
        return [.extensionHost]
      #endif
    case .program: return [.processSignals()]
    case .application:
      #if os(watchOS)
        return [.wkApplication]
      #elseif canImport(UIKit)
        return [.uiApplication]
      #elseif canImport(AppKit)
        return [.nsApplication(), .workspace]
      #else
        return [.processSignals()]
      #endif
    }
  }
}

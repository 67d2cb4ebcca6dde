import IssueReporting
// A file of an app imports this module alone.
@_exported public import LifecycleCore
import LifecycleSupport

#if os(macOS) || !canImport(Darwin)
  import LifecycleProcess
#endif

extension LifecycleBusProtocol where Self == LifecycleBus {
  /// The bus of this process, which is connected to the platform's sources on first use.
  ///
  /// | process | sources |
  /// | --- | --- |
  /// | app extension | ``LifecycleSource/extensionHost`` |
  /// | app extension on macOS | ``LifecycleSource/macExtension`` and the workspace's |
  /// | application on iOS, tvOS, visionOS, Mac Catalyst | UIApplication's notifications |
  /// | application on macOS | NSApplication's and the workspace's notifications |
  /// | application on watchOS | WatchKit's notifications |
  /// | other programs, on macOS, Linux and elsewhere | the process's signals |
  /// | on iOS, tvOS, watchOS, visionOS: a process without a bundle, as one of tests alone | none |
  ///
  /// ```swift
  /// LifecycleBus.application.onOpen(in: scope) { _ in refresh() }
  /// ```
  ///
  /// Where a bus is expected, the type need not be named, as in
  /// `Countdown(.seconds(5), of: .application)`.
  ///
  /// The bundle determines the kind of process: `.appex`, `.app`, or neither; a WatchKit extension
  /// counts as an application. <doc:InAUIKitApp> lists the phases of extensions.
  /// Access the bus first on the main actor: when that access returns, the bus knows the phase that
  /// the sources have found. If a source cannot start, an issue is reported, and the bus continues
  /// without that source.
  ///
  /// Inside ``LifecycleCore/LifecycleBus/withApplication(_:operation:)``, this is the bus passed
  /// there, and the platform's sources are not started.
  ///
  /// In a test, the bus is *unimplemented* unless it is replaced: it is connected to nothing, and
  /// each access reports an issue at the test, which describes what to do. A test with the trait
  /// `.lifecycle` of `LifecycleTestingTraits` has its own bus. A test of the platform's sources
  /// uses ``LifecycleCore/LifecycleBus/liveApplication``. An application that hosts tests gets the bus
  /// of the process
  /// ([Tests inside the app](/documentation/lifecycletesting/testingyourviewmodel#Tests-inside-the-app)).
  ///
  /// - Complexity: O(1); while XCTest is loaded, O(*n*) in the depth of the stack, some 0.3 ms.
  public static var application: LifecycleBus {
    if let replacement = ApplicationBus.replacement { return replacement() }
    if isTesting, let bus = UnimplementedApplicationBus.ofCallingTest { return bus }
    return ApplicationBus.live.bus
  }
}

extension LifecycleBus {
  /// The bus of this process, connected to the platform's sources, even in a test.
  ///
  /// It is ``LifecycleCore/LifecycleBusProtocol/application`` where that is neither replaced nor
  /// unimplemented. The first access connects it.
  ///
  /// ```swift
  /// LifecycleBus.withApplication(.liveApplication) { Screen() }
  /// ```
  public static var liveApplication: LifecycleBus { ApplicationBus.live.bus }

  /// Replaces ``LifecycleCore/LifecycleBusProtocol/application`` with another bus for the duration
  /// of an operation.
  ///
  /// Use it in previews and in tests, which may run at the same time.
  ///
  /// ```swift
  /// let bus = LifecycleBus(clock: ManualClock())
  /// let screen = LifecycleBus.withApplication(bus) { Screen() }
  /// ```
  ///
  /// The replacement applies to the calling task and the tasks that it starts, as task-local values
  /// do, but not to closures that are called from elsewhere: keep the bus when you create an
  /// object.
  ///
  /// - Parameters:
  ///   - bus: The bus that replaces ``LifecycleCore/LifecycleBusProtocol/application``.
  ///   - operation: Called on the caller's thread, immediately.
  /// - Returns: The value that the operation returns.
  public static func withApplication<Result>(
    _ bus: LifecycleBus,
    operation: () throws -> Result
  ) rethrows -> Result {
    try ApplicationBus.$replacement.withValue({ bus }, operation: operation)
  }

  /// Replaces ``LifecycleCore/LifecycleBusProtocol/application`` with another bus for the duration
  /// of an asynchronous operation.
  ///
  /// - Parameters:
  ///   - bus: The bus that replaces ``LifecycleCore/LifecycleBusProtocol/application``.
  ///   - isolation: The caller's actor, where the operation runs.
  ///   - operation: Called on the caller's actor, immediately.
  /// - Returns: The value that the operation returns.
  public static func withApplication<Result>(
    _ bus: LifecycleBus,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await withApplication(from: { bus }, operation: operation)
  }

  /// Replaces the application's bus with one that may change in the meantime.
  ///
  /// - Parameter bus: Returns the current bus, on the thread that asks for it.
  package static func withApplication<Result>(
    from bus: @escaping @Sendable () -> LifecycleBus,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await ApplicationBus.$replacement.withValue(bus, operation: operation)
  }
}

extension LifecycleBus {
  /// The core of the application's bus if that is replaced, or has been accessed; otherwise nil.
  package static var applicationIfCreated: LifecycleBusCore? {
    ApplicationBus.replacement?().core ?? ApplicationBus.created.withLock { $0 }
  }
}

/// The process's own bus, and the connections that feed it for as long as the process lives.
private struct ApplicationBus: Sendable {
  @TaskLocal static var replacement: (@Sendable () -> LifecycleBus)?

  static let live = ApplicationBus()
  static let created = Locked<LifecycleBusCore?>(nil)

  let bus = LifecycleBus()
  private var connections: [LifecycleCancellable] = []

  init() {
    Self.created.withLock { [core = bus.core] in $0 = core }
    for source in Self.sources(of: .current) {
      do {
        connections.append(try bus.connect(source))
      } catch {
        reportIssue("The application bus can't be connected to \(source.name): \(error)")
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
    case .program:
      #if os(macOS) || !canImport(Darwin)
        return [.processSignals()]
      #else
        return []
      #endif
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

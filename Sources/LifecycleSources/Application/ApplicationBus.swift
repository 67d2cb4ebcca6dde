import Foundation
import IssueReporting
import LifecycleSupport
public import ReactiveLifecycle

extension LifecycleBus {
  /// The bus of this process, which is connected to the platform's sources on first use.
  ///
  /// | process | sources |
  /// | --- | --- |
  /// | app extension | the notifications about its host |
  /// | app extension on macOS | ``LifecycleSource/macExtension`` and the workspace's |
  /// | application on iOS, tvOS, visionOS, Mac Catalyst | UIApplication's notifications |
  /// | application on macOS | NSApplication's and the workspace's notifications |
  /// | application on watchOS | WatchKit's notifications |
  /// | other programs, on macOS, Linux and elsewhere | the process's signals |
  ///
  /// ```swift
  /// LifecycleBus.application.onOpen(in: scope) { _ in refresh() }
  /// ```
  ///
  /// The bundle determines the kind of process: `.appex`, `.app`, or neither; a WatchKit extension
  /// counts as an application. On macOS there are no notifications about an extension's host.
  /// Access the bus first on the main actor: when that access returns, the bus knows the phase that
  /// the sources have found. If a source cannot start, an issue is reported, and the bus continues
  /// without that source.
  ///
  /// Inside ``withApplication(_:operation:)``, this is the bus passed there, and the platform's
  /// sources are not started.
  ///
  /// In a test, the bus is *unimplemented* unless it is replaced: each access reports an issue that
  /// describes what to do, and returns a bus that is connected to nothing. A test with the trait
  /// `.lifecycle` of `LifecycleTestingTraits` has its own bus. A test of the platform's sources
  /// uses ``liveApplication``. On a thread or in a detached task, where Swift Testing knows no test
  /// and drops the issue, a line in standard error says the same. Applications that host tests use
  /// the bus while the tests run, too: let them start with
  /// `LifecycleBus.withApplication(.liveApplication)`.
  public static var application: LifecycleBus {
    ApplicationBus.replacement?() ?? ApplicationBus.shared?.bus ?? ApplicationBus.reportTest()
  }

  /// The bus of this process, connected to the platform's sources, even in a test.
  ///
  /// It is ``application`` where that is neither replaced nor unimplemented. The first access
  /// connects it.
  ///
  /// ```swift
  /// LifecycleBus.withApplication(.liveApplication) { Screen() }
  /// ```
  public static var liveApplication: LifecycleBus { ApplicationBus.live.bus }

  /// Replaces ``application`` with another bus for the duration of an operation.
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
  ///   - bus: The bus that replaces ``application``.
  ///   - operation: Called on the caller's thread, immediately.
  /// - Returns: The value that the operation returns.
  public static func withApplication<Result>(
    _ bus: LifecycleBus,
    operation: () throws -> Result
  ) rethrows -> Result {
    try ApplicationBus.$replacement.withValue({ bus }, operation: operation)
  }

  /// Replaces ``application`` with another bus for the duration of an asynchronous operation.
  ///
  /// - Parameters:
  ///   - bus: The bus that replaces ``application``.
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

  /// Replaces ``application`` with a bus that may change in the meantime.
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
  /// The core of ``application`` if it is replaced, or has been accessed; otherwise nil.
  static var applicationIfCreated: LifecycleBusCore? {
    ApplicationBus.replacement?().core ?? ApplicationBus.created.withLock { $0 }
  }
}

/// The process's own bus, and the connections that feed it for as long as the process lives.
private struct ApplicationBus: Sendable {
  @TaskLocal static var replacement: (@Sendable () -> LifecycleBus)?

  static let live = ApplicationBus()
  /// The process's own bus; nil in a process that runs tests.
  static let shared = isTesting ? nil : live
  static let created = Locked<LifecycleBusCore?>(nil)
  private static let unimplemented = LifecycleBus()

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

  /// Reports that a test uses the bus, and returns one that is connected to nothing.
  static func reportTest() -> LifecycleBus {
    UnimplementedApplicationBus.report(in: .current)
    return unimplemented
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

/// The report of a test that uses the application's bus.
enum UnimplementedApplicationBus {
  /// Reports the use as an issue; also in standard error if it may belong to no test, because a
  /// runner drops such an issue without a trace.
  static func report(in context: TestContext?) {
    let message = message(in: context)
    reportIssue(message)
    if case .swiftTesting = context { return }
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
  }

  static func message(in context: TestContext?) -> String {
    let test =
      if case .swiftTesting(let testing?) = context {
        "The test \(testing.test.id.rawValue)"
      } else {
        "A test"
      }
    return """
      \(test) uses LifecycleBus.application, which is unimplemented in tests, and gets a bus that is \
      connected to nothing. Pass the test's own bus to the code under test, add the trait \
      .lifecycle of LifecycleTestingTraits to the test or its suite, or replace the bus by \
      LifecycleBus.withApplication(_:operation:). For the process's own bus, pass .liveApplication \
      there.
      """
  }
}

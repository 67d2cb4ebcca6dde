public import LifecycleBackgroundWork
import ReactiveLifecycle

extension BackgroundTaskCoordinator {
  /// The background tasks of this process, with the platform's host:
  ///
  /// | process | host |
  /// | --- | --- |
  /// | app extension | expiring activities; on macOS as an application |
  /// | application on iOS, tvOS, visionOS, Mac Catalyst | UIApplication's background tasks |
  /// | application on watchOS | expiring activities |
  /// | application on macOS | activities of the process, against sudden termination and App Nap |
  /// | other programs, on macOS, Linux and elsewhere | the process itself |
  ///
  /// ```swift
  /// let task = BackgroundTaskCoordinator.application.beginTask(named: "upload") { upload.pause() }
  /// ```
  ///
  /// What the process is, its bundle tells, as for `LifecycleBus.application`. The process itself puts
  /// off its stop and its end while a bus is connected to ``ProcessSignalSource``, as that one is.
  public static let application = BackgroundTaskCoordinator(host: host(of: .current))

  private static func host(of process: ProcessKind) -> any BackgroundTaskHost {
    switch process {
    case .program: return .process()
    case .appExtension:
      #if canImport(UIKit) || os(watchOS)
        return .expiringActivity
      #elseif canImport(AppKit)
        return .processActivity
      #else
        return .process()
      #endif
    case .application:
      #if os(watchOS)
        return .expiringActivity
      #elseif canImport(UIKit)
        return .uiApplication
      #elseif canImport(AppKit)
        return .processActivity
      #else
        return .process()
      #endif
    }
  }
}

/// Runs an asynchronous body under a background task of `BackgroundTaskCoordinator.application`: see
/// `withBackgroundTask(named:tasks:)`.
///
/// ```swift
/// try await withBackgroundTask(named: "upload") {
///   try await upload.finish()
/// }
/// ```
///
/// - Parameters:
///   - name: For people who look at logs.
///   - isolation: Where the body runs: where the caller does.
///   - body: What to do. It is cancelled when time is up.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
public func withBackgroundTask<Value: Sendable, Failure: Error>(
  named name: String,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: @escaping () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  try await withBackgroundTask(
    named: name,
    tasks: .application,
    isolation: isolation,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    body
  )
}

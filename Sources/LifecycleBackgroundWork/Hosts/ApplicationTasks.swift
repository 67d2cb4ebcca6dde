import ReactiveLifecycle

extension BackgroundTaskCoordinator {
  /// The background tasks of this process, with the platform's host.
  ///
  /// | process | host |
  /// | --- | --- |
  /// | app extension | expiring activities; on macOS as an application |
  /// | application on iOS, tvOS, visionOS, Mac Catalyst | UIApplication's background tasks |
  /// | application on watchOS | expiring activities |
  /// | application on macOS | activities of the process, against sudden termination and App Nap |
  /// | other programs, on macOS, Linux and elsewhere | the process itself |
  /// | on iOS, tvOS, watchOS, visionOS: a process without a bundle | expiring activities |
  ///
  /// ```swift
  /// let task = BackgroundTaskCoordinator.application.beginTask(named: "upload") { upload.pause() }
  /// ```
  ///
  /// Flight recorders of `LifecycleBus.application` record the tasks.
  ///
  /// The bundle determines the kind of process, as for `LifecycleBus.application`. A process that
  /// is its own host delays its stop and its end while a bus is connected to
  /// `ProcessSignalSource`, as that bus is.
  public static let application = BackgroundTaskCoordinator(
    host: host(of: .current),
    of: { LifecycleBus.applicationIfCreated }
  )

  private static func host(of process: ProcessKind) -> any BackgroundTaskHost {
    #if os(watchOS)
      return .expiringActivity
    #elseif canImport(UIKit)
      if process == .application { return .uiApplication }
      return .expiringActivity
    #elseif canImport(AppKit)
      if process == .program { return .process() }
      return .processActivity
    #else
      return .process()
    #endif
  }
}

#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
  import BackgroundTasks
  import Foundation
  public import LifecycleBackgroundWork
  import LifecycleSupport
  import ReactiveLifecycle

  /// `BGTaskScheduler`'s background tasks as a host: on iOS, tvOS, visionOS and Mac Catalyst.
  ///
  /// ```swift
  /// let host = try BGTaskSchedulerFetchHost(identifier: "com.example.refresh")
  /// let connection = fetches.connect(host)
  /// fetches.setMinimumInterval(.after(.seconds(900)))
  /// ```
  ///
  /// To be made before the application has finished launching, in
  /// `application(_:didFinishLaunchingWithOptions:)` or in the initializer of a SwiftUI `App`; the system
  /// raises an exception later. Info.plist lists the identifier under
  /// `BGTaskSchedulerPermittedIdentifiers`, and `fetch` or `processing` under `UIBackgroundModes`.
  ///
  /// The minimum interval is the earliest date of a request that is submitted when the interval is set,
  /// counted from then, and again at the beginning of each task, before anything else. A request outlives
  /// the process: set the interval at each launch, `never` to take the request back.
  ///
  /// A task is completed exactly once: with success, unless the fetch has failed. When the system wants
  /// its time back, the request expires; a coordinator that is connected completes it then. The handler is
  /// called on a queue of the system.
  ///
  /// The system keeps the registration, and what is connected, for as long as the process lives: cancel
  /// the connection to let go of that.
  public final class BGTaskSchedulerFetchHost: BackgroundFetchHost {
    /// Which of the system's tasks.
    public enum Kind: Sendable, Hashable {
      /// `BGAppRefreshTask`: short, up to half a minute, by what the system knows of the user's habits.
      case refresh
      /// `BGProcessingTask`: some minutes, when the device is idle.
      case processing(
        requiresNetworkConnectivity: Bool = true,
        requiresExternalPower: Bool = false
      )

      /// How much time the fetches have, unless something else is asked for. Apple's documentation says
      /// up to 30 seconds for a refresh, and minutes for processing; the system may want its time back
      /// earlier.
      public var deadline: Duration {
        switch self {
        case .refresh: .seconds(25)
        case .processing: .seconds(180)
        }
      }

      fileprivate var mode: String {
        switch self {
        case .refresh: "fetch"
        case .processing: "processing"
        }
      }
    }

    /// Why there is no host.
    public enum RegistrationError: Error, Sendable, Hashable, CustomStringConvertible {
      /// Info.plist does not list the identifier.
      case notPermitted(identifier: String)
      /// There has been a host for the identifier; the system would end the process.
      case registeredBefore(identifier: String)

      public var description: String {
        switch self {
        case .notPermitted(let identifier):
          """
          The system did not register the background task "\(identifier)". Add it to \
          BGTaskSchedulerPermittedIdentifiers in Info.plist.
          """
        case .registeredBefore(let identifier):
          """
          The background task "\(identifier)" has been registered before. Make one host for each \
          identifier, once in a process.
          """
        }
      }
    }

    private static let identifiers = Locked<Set<String>>([])

    private let fetches: ScheduledFetches

    /// Registers a background task, and is a host without a handler: there is nothing new.
    ///
    /// ```swift
    /// try BGTaskSchedulerFetchHost(
    ///   identifier: "com.example.cleaning",
    ///   kind: .processing(requiresNetworkConnectivity: false, requiresExternalPower: true)
    /// ) { error in
    ///   print("no cleaning: \(error)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - identifier: The task's, as Info.plist lists it. No two hosts may have the same.
    ///   - kind: Which of the system's tasks.
    ///   - deadline: How much time each fetch has; nil for what is usual for the kind.
    ///   - onSubmitError: Called when the system refuses a request, with the error, mostly a
    ///     `BGTaskScheduler.Error`; on the thread that sets the interval, or on a queue of the system. By
    ///     default the error is reported at the caller's line, with what to do. The next request is
    ///     submitted when the interval is set again.
    /// - Throws: ``RegistrationError``, which names the identifier and says what to do.
    @available(iOSApplicationExtension, unavailable)
    @available(macCatalystApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public init(
      identifier: String,
      kind: Kind = .refresh,
      deadline: Duration? = nil,
      onSubmitError: (@Sendable (any Error) -> Void)? = nil,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) throws(RegistrationError) {
      let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      let fetches = ScheduledFetches(deadline: deadline ?? kind.deadline) { delay in
        try BGTaskScheduler.shared.submit(kind.makeRequest(identifier, after: delay))
      } cancel: {
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
      } onSubmitError: { error in
        if let onSubmitError { return onSubmitError(error) }
        let advice = FetchSubmissionAdvice(error).text(identifier: identifier, mode: kind.mode)
        site.report("The background task \"\(identifier)\" was not submitted: \(error). \(advice)")
      }
      self.fetches = fetches
      guard Self.identifiers.withLock({ $0.insert(identifier).inserted }) else {
        throw .registeredBefore(identifier: identifier)
      }
      let isRegistered = BGTaskScheduler.shared.register(
        forTaskWithIdentifier: identifier,
        using: nil
      ) { task in
        let task = LaunchedTask(task)
        fetches.launch {
          task.setExpirationHandler($0)
        } complete: {
          task.complete($0)
        }
      }
      guard isRegistered else {
        _ = Self.identifiers.withLock { $0.remove(identifier) }
        throw .notPermitted(identifier: identifier)
      }
    }

    public func setMinimumInterval(_ interval: Duration?) {
      fetches.setInterval(interval)
    }

    public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
      fetches.setHandler(handler)
    }
  }

  extension BGTaskSchedulerFetchHost.Kind {
    fileprivate func makeRequest(_ identifier: String, after delay: Duration) -> BGTaskRequest {
      let request: BGTaskRequest
      switch self {
      case .refresh: request = BGAppRefreshTaskRequest(identifier: identifier)
      case .processing(let requiresNetworkConnectivity, let requiresExternalPower):
        let processing = BGProcessingTaskRequest(identifier: identifier)
        processing.requiresNetworkConnectivity = requiresNetworkConnectivity
        processing.requiresExternalPower = requiresExternalPower
        request = processing
      }
      // Without a date: as soon as the system likes.
      request.earliestBeginDate =
        delay > .zero ? Date(timeIntervalSinceNow: delay / .seconds(1)) : nil
      return request
    }
  }

  extension FetchSubmissionAdvice {
    fileprivate init(_ error: any Error) {
      self =
        switch (error as? BGTaskScheduler.Error)?.code {
        case .notPermitted: .notPermitted
        case .tooManyPendingTaskRequests: .tooManyPending
        case .unavailable: .unavailable
        default: .other
        }
    }
  }

  /// `@unchecked Sendable`: the task is touched twice, and never by two threads at a time. Its expiration
  /// handler is set by the thread that the system calls, before anybody else knows the task; it is
  /// completed by one thread, after that.
  private final class LaunchedTask: @unchecked Sendable {
    private let task: BGTask

    init(_ task: BGTask) { self.task = task }

    func setExpirationHandler(_ handler: @escaping @Sendable () -> Void) {
      task.expirationHandler = handler
    }

    func complete(_ isSuccess: Bool) { task.setTaskCompleted(success: isSuccess) }
  }
#endif

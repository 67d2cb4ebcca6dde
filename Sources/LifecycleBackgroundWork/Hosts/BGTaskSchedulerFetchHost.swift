#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
  import BackgroundTasks
  import Foundation
  import LifecycleCore
  import LifecycleSupport

  /// A host for `BGTaskScheduler`'s background tasks on iOS, tvOS, visionOS and Mac Catalyst.
  ///
  /// ```swift
  /// let host = try BGTaskSchedulerFetchHost(identifier: "com.example.refresh")
  /// fetches.connect(host).store(in: scope)
  /// fetches.setMinimumInterval(.seconds(900))
  /// ```
  ///
  /// Create the host before the application has finished launching, in
  /// `application(_:didFinishLaunchingWithOptions:)` or in the initializer of a SwiftUI `App`; if
  /// you create it later, the system raises an exception. In Info.plist, list the identifier under
  /// `BGTaskSchedulerPermittedIdentifiers`, and `fetch` or `processing` under `UIBackgroundModes`.
  ///
  /// The host submits a request at the beginning of each task, and when the minimum interval is
  /// set. The interval, counted from the submission, sets the request's earliest date. A request
  /// outlives the process: set the interval at each launch, or set nil to cancel the request.
  ///
  /// Setting the interval keeps a pending request that is due by then. A submission would
  /// [replace](https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/submit(_:))
  /// it, and so postpone the fetch whenever the user opens the app. A longer interval therefore
  /// applies after the next fetch.
  ///
  /// Submissions and cancellations run off the main thread, in the order of the calls: at
  /// launch, `setMinimumInterval(_:)` returns before the system has answered. Apple's documentation
  /// of `submitTaskRequest(_:completionHandler:)`, which replaces `submit(_:)` in iOS 27, says not
  /// to call it on the main thread.
  ///
  /// Each task is completed exactly once: with success, unless the fetch has failed, and not before
  /// the next request has been submitted. When the system reclaims the task's time, the request
  /// expires, and a connected coordinator completes it. The handler of `setFetchHandler(_:)` is
  /// called on a system queue.
  ///
  /// The system keeps the registration, and everything connected to it, for as long as the process
  /// lives. Cancel the connection to release what is connected.
  public final class BGTaskSchedulerFetchHost: BackgroundFetchHost {
    /// The kind of a system task.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
      /// `BGAppRefreshTask`: a short task, up to half a minute, scheduled according to the user's
      /// habits.
      case refresh
      /// `BGProcessingTask`: a task of some minutes, which runs when the device is idle.
      case processing(
        requiresNetworkConnectivity: Bool = true,
        requiresExternalPower: Bool = false
      )

      /// The default time that each fetch has.
      ///
      /// Apple's documentation allows up to 30 seconds for a refresh, and minutes for processing;
      /// the system may reclaim the time earlier.
      fileprivate var deadline: Duration {
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

    /// An error that indicates why a host cannot be created.
    @nonexhaustive
    public enum RegistrationError: Error, Sendable, Hashable, CustomStringConvertible {
      /// Info.plist does not list the identifier.
      case notPermitted(identifier: String)
      /// A host for the identifier was created before; registering again would end the process.
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
          The background task "\(identifier)" has already been registered. Create one host for \
          each identifier, once per process.
          """
        }
      }
    }

    private static let identifiers = Locked<Set<String>>([])

    private let fetches: ScheduledFetches

    /// Registers a background task and creates a host without a handler.
    ///
    /// Until a handler is set, each fetch completes with no new data, which is reported at the
    /// caller's line.
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
    ///   - identifier: The task's identifier, as listed in Info.plist. No two hosts may share one.
    ///   - kind: The kind of the system task.
    ///   - deadline: The time that each fetch has; nil for the kind's default.
    ///   - onSubmitError: Called off the main thread, once for each request that the system
    ///     refuses. The closure receives the error, usually a `BGTaskScheduler.Error`. By default
    ///     the error is reported at the caller's line, with advice. The next request is submitted
    ///     when the interval is set again, or at the beginning of a task that an earlier request
    ///     has caused.
    /// - Throws: ``RegistrationError``, which names the identifier and the remedy.
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
      let site = CallSite(fileID, filePath, line, column)
      let fetches = ScheduledFetches(deadline: deadline ?? kind.deadline, madeAt: site) {
        await kind.timeToPending(identifier)
      } submit: { delay in
        try await kind.submit(identifier, after: delay)
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
        // The task is accessed twice, and never by two threads at a time. The thread that the
        // system calls sets the expiration handler before any other thread knows the task; after
        // that, one thread completes the task.
        let task = UncheckedSendable(task)
        fetches.launch {
          task.value.expirationHandler = $0
        } complete: {
          task.value.setTaskCompleted(success: $0)
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
    /// Returns the time after which the pending request is due; nil if there is none of this kind.
    fileprivate func timeToPending(_ identifier: String) async -> Duration? {
      let requests = await BGTaskScheduler.shared.pendingTaskRequests()
      let pending = requests.first { $0.identifier == identifier && isKind(of: $0) }
      return pending.map { .seconds($0.earliestBeginDate?.timeIntervalSinceNow ?? 0) }
    }

    private func isKind(of request: BGTaskRequest) -> Bool {
      switch (self, request) {
      case (.refresh, is BGAppRefreshTaskRequest): true
      case (.processing(let network, let power), let request as BGProcessingTaskRequest):
        request.requiresNetworkConnectivity == network && request.requiresExternalPower == power
      default: false
      }
    }

    /// Submits a request, and returns when the scheduler has answered. Not for the main thread.
    fileprivate func submit(_ identifier: String, after delay: Duration) async throws {
      let (scheduler, request) = (BGTaskScheduler.shared, makeRequest(identifier, after: delay))
      // The SDK of iOS 27 comes with this compiler. Its method reports errors that the deprecated
      // one, which blocks, does not.
      #if compiler(>=6.4)
        if #available(iOS 27, tvOS 27, visionOS 27, *) {
          return try await scheduler.submitTaskRequest(request)
        }
      #endif
      try scheduler.submit(request)
    }

    private func makeRequest(_ identifier: String, after delay: Duration) -> BGTaskRequest {
      let request: BGTaskRequest
      switch self {
      case .refresh: request = BGAppRefreshTaskRequest(identifier: identifier)
      case .processing(let requiresNetworkConnectivity, let requiresExternalPower):
        let processing = BGProcessingTaskRequest(identifier: identifier)
        processing.requiresNetworkConnectivity = requiresNetworkConnectivity
        processing.requiresExternalPower = requiresExternalPower
        request = processing
      }
      // No date: the system chooses the time.
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
#endif

/// The reason that `BGTaskScheduler` refused a request, and the remedy.
enum FetchSubmissionAdvice: CaseIterable {
  case notPermitted
  case tooManyPending
  case unavailable
  case other

  func text(identifier: String, mode: String) -> String {
    switch self {
    case .notPermitted:
      """
      Add "\(identifier)" to BGTaskSchedulerPermittedIdentifiers and "\(mode)" to \
      UIBackgroundModes in Info.plist. If they are already there, the user has denied background \
      launches.
      """
    case .tooManyPending:
      """
      At most one refresh request and ten processing requests can be pending. Use one host for all \
      refreshes, and cancel requests that are not needed.
      """
    case .unavailable:
      """
      Background tasks are not available to this process: it runs in a simulator or is an app \
      extension, or Background App Refresh is turned off in Settings.
      """
    case .other: "To try again, set the minimum interval again."
    }
  }
}

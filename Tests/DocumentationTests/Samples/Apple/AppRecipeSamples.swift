#if os(iOS) && !targetEnvironment(macCatalyst)
  import BackgroundTasks
  import LifecycleBackgroundWork
  import LifecycleCountdowns
  import ReactiveLifecycle
  import SwiftUI
  import UIKit
  import UserNotifications

  // MARK: Refresh

  private actor Inbox {
    static let shared = Inbox()

    func refresh() async throws -> Bool { false }
  }

  struct InboxApp: App {
    private let fetches = BackgroundFetchCoordinator(of: .application)
    private let scope = LifecycleScope("inbox")

    init() {
      fetches.addHandler(named: "inbox", in: scope) {
        try await Inbox.shared.refresh() ? .newData : .noData
      }
      LifecycleBus.application.addObserver(for: .willEnterForeground, in: scope) { _ in
        Task.detached { if await !isRefreshPending() { requestRefresh() } }
      }
    }

    var body: some Scene {
      WindowGroup { Text("Inbox") }
        .backgroundTask(.appRefresh("com.example.refresh")) { [fetches] in
          requestRefresh()
          await fetches.performFetch(deadline: .seconds(25))
        }
    }
  }

  nonisolated func requestRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "com.example.refresh")
    request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
    try? BGTaskScheduler.shared.submit(request)
  }

  nonisolated func isRefreshPending() async -> Bool {
    let requests = await BGTaskScheduler.shared.pendingTaskRequests()
    return requests.contains { $0.identifier == "com.example.refresh" }
  }

  // MARK: Silent push

  final class PushDelegate: NSObject, UIApplicationDelegate {
    private let fetches = BackgroundFetchCoordinator(of: .application)

    func application(
      _ application: UIApplication,
      didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
      switch await fetches.performFetch(deadline: .seconds(25)).result {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
    }
  }

  // MARK: A long export

  final class Film: Sendable {
    func export(reportingTo progress: Progress) async throws {}
  }

  @available(iOS 26, *)
  func register(_ film: Film, as identifier: String) -> Bool {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
      guard let task = task as? BGContinuedProcessingTask else { return }
      nonisolated(unsafe) let continued = task  // Set up here, then used by one task alone.
      let work = Task {
        let isDone = (try? await film.export(reportingTo: continued.progress)) != nil
        continued.setTaskCompleted(success: isDone)
      }
      task.expirationHandler = { work.cancel() }
    }
  }

  // MARK: The end of a countdown

  @MainActor
  func notificationSample(_ rental: Countdown) -> EndDate {
    let notification = EndDate(of: rental) { end in
      let center = UNUserNotificationCenter.current()
      guard let end else {
        return center.removePendingNotificationRequests(withIdentifiers: ["rental"])
      }
      let content = UNMutableNotificationContent()
      content.title = "Your rental has ended"
      let time = max(end.timeIntervalSinceNow, 1)
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: time, repeats: false)
      center.add(UNNotificationRequest(identifier: "rental", content: content, trigger: trigger))
    }
    return notification
  }

  struct RentalActivityView: View {
    let end: Date

    var body: some View {
      Text(timerInterval: .now...max(end, .now))
    }
  }

  // MARK: Power

  @MainActor
  private func energySample(_ bus: LifecycleBus, in scope: LifecycleScope) throws {
    var energy = NotificationTable()
    energy.add(
      .powerModeDidChange,
      for: Notification.Name.NSProcessInfoPowerStateDidChange.rawValue
    )
    energy.add(.thermalStateDidChange, for: ProcessInfo.thermalStateDidChangeNotification.rawValue)
    energy.add(
      .refreshStatusDidChange,
      for: UIApplication.backgroundRefreshStatusDidChangeNotification.rawValue
    )
    _ = ProcessInfo.processInfo.thermalState
    try bus.connect(.notificationCenter(table: energy, name: "energy"), in: scope)
  }

  @MainActor
  func uploadSample(_ bus: LifecycleBus) -> PhotoUpload {
    let upload = PhotoUpload(of: bus) {
      let process = ProcessInfo.processInfo
      return process.isLowPowerModeEnabled || process.thermalState == .critical
    }
    return upload
  }

  // MARK: Tests inside the app

  final class PlayerDelegate: UIResponder, UIApplicationDelegate {
    let bus = LifecycleBus.application
  }

  struct PlayerApp: App {
    private let bus = LifecycleBus.application

    var body: some Scene {
      WindowGroup { PlayerView().lifecycle(bus) }
    }
  }
#endif

#if os(watchOS)
  import Foundation
  import ReactiveLifecycle
  import WatchKit

  extension LifecycleEvent.Kind {
    nonisolated static let runtimeSessionWillExpire: Self = "runtimeSessionWillExpire"
    nonisolated static let runtimeSessionDidEnd: Self = "runtimeSessionDidEnd"
  }

  nonisolated final class RuntimeSession: NSObject, WKExtendedRuntimeSessionDelegate {
    private let bus: LifecycleBus
    private let session = WKExtendedRuntimeSession()

    @MainActor
    init?(of bus: LifecycleBus) {
      guard bus.phase == .active else { return nil }
      self.bus = bus
      super.init()
      session.delegate = self
      session.start()
    }

    func extendedRuntimeSessionWillExpire(_ session: WKExtendedRuntimeSession) {
      bus.send(.runtimeSessionWillExpire)
    }

    func extendedRuntimeSession(
      _ session: WKExtendedRuntimeSession,
      didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason,
      error: (any Error)?
    ) {
      bus.send(.runtimeSessionDidEnd)
    }
  }
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import LifecycleBackgroundWork
  import ReactiveLifecycle

  final class QuittingDelegate: NSObject {
    private let bus = LifecycleBus.application

    @MainActor
    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
      bus.terminateReply(for: sender)
    }
  }

  @MainActor
  private func sourceSamples(_ bus: LifecycleBus, in scope: LifecycleScope) throws {
    do {
      try bus.connect(.nsApplication(background: .occluded), in: scope)
    }
    do {
      try bus.connect(.workspace, in: scope)
    }
    let bus = LifecycleBus()
    try bus.connect(.nsApplication(background: .occluded), in: scope)
    try bus.connect(.workspace, in: scope)
  }

  @MainActor
  private func lockSample(_ bus: LifecycleBus, in scope: LifecycleScope) throws {
    let center = DistributedNotificationCenter.default()
    try bus.connect(.notificationCenter(center, table: .macScreenLock), in: scope)
  }

  func processActivitySample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .processActivity)
    return tasks
  }
#endif

#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
  import LifecycleBackgroundWork
  import ReactiveLifecycle

  func backgroundTaskSchedulerSample(
    _ fetches: BackgroundFetchCoordinator,
    in scope: LifecycleScope
  ) throws {
    let host = try BGTaskSchedulerFetchHost(identifier: "com.example.refresh")
    fetches.connect(host).store(in: scope)
    fetches.setMinimumInterval(.seconds(900))
  }

  func processingTaskSample() throws -> BGTaskSchedulerFetchHost {
    try BGTaskSchedulerFetchHost(
      identifier: "com.example.cleaning",
      kind: .processing(requiresNetworkConnectivity: false, requiresExternalPower: true)
    ) { error in
      print("no cleaning: \(error)")
    }
  }
#endif

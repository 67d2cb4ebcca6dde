#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import LifecycleBackgroundWork
  import LifecycleSources
  import ReactiveLifecycle

  final class QuittingDelegate: NSObject {
    private let bus = LifecycleBus.application

    @MainActor
    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
      bus.terminateReply(for: sender)
    }
  }

  @MainActor
  private func sourceSamples(_ bus: LifecycleBus) throws {
    do {
      let connection = try bus.connect(.nsApplication(background: .occluded))
      _ = connection
    }
    do {
      let connection = try bus.connect(.workspace)
      _ = connection
    }
    let bus = LifecycleBus()
    let application = try bus.connect(.nsApplication(background: .occluded))
    let workspace = try bus.connect(.workspace)
    _ = (application, workspace)
  }

  func processActivitySample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .processActivity)
    return tasks
  }
#endif

#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
  import LifecycleBackgroundWork
  import LifecycleSources
  import ReactiveLifecycle

  func backgroundTaskSchedulerSample(
    _ fetches: BackgroundFetchCoordinator,
    in scope: LifecycleScope
  ) throws {
    let host = try BGTaskSchedulerFetchHost(identifier: "com.example.refresh")
    fetches.connect(host).store(in: scope)
    fetches.setMinimumInterval(.after(.seconds(900)))
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

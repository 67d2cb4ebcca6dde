#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import LifecycleSources
  import ReactiveLifecycle

  final class PanelViewController: NSViewController {
    private let screen = LifecycleBus(parent: LifecycleBus.application)

    override func viewDidAppear() {
      super.viewDidAppear()
      screen.send(.didBecomeActive)
    }

    override func viewDidDisappear() {
      super.viewDidDisappear()
      screen.send(.didEnterBackground)
    }
  }

  final class QuittingDelegate: NSObject {
    private let bus = LifecycleBus.application

    @MainActor
    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
      bus.terminateReply(for: sender)
    }
  }

  @MainActor
  func nsApplicationSample(_ bus: LifecycleBus) throws -> LifecycleCancellable {
    let connection = try bus.connect(.nsApplication(background: .occluded))
    return connection
  }

  @MainActor
  func workspaceSample(_ bus: LifecycleBus) throws -> LifecycleCancellable {
    let connection = try bus.connect(.workspace)
    return connection
  }

  @MainActor
  func macSample() throws -> (LifecycleBus, [LifecycleCancellable]) {
    let bus = LifecycleBus()
    let application = try bus.connect(.nsApplication(background: .occluded))
    let workspace = try bus.connect(.workspace)
    return (bus, [application, workspace])
  }
#endif

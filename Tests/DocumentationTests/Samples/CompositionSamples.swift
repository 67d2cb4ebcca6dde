import CustomDump
import LifecycleCombine
import LifecycleSources
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

extension LifecycleParticipant {
  static let mainWindow: Self = "main window"
}

/// A source whose reports a test makes.
final class ScriptedSource: LifecycleSource {
  let name: LifecycleSourceName
  private let input = Locked<LifecycleFeed?>(nil)

  init(_ name: LifecycleSourceName) {
    self.name = name
  }

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    self.input.withLock { $0 = input }
    return {}
  }

  func report(_ kind: LifecycleEvent.Kind) {
    input.withLock { $0 }?.send(kind)
  }
}

@MainActor
struct CompositionSamples {
  let bus = LifecycleBus(clock: ManualClock())
  let applicationNotifications = ScriptedSource("application")
  let sceneNotifications = ScriptedSource("scene")
  let sessionLock = ScriptedSource("session lock")

  /// The phases of the bus in the columns of the article's table.
  func roles() throws -> [LifecyclePhase] {
    let application = try bus.connect(applicationNotifications)
    let scene = try bus.connect(sceneNotifications, as: .participant("main window"))
    let lock = try bus.connect(sessionLock, as: .ceiling)
    defer { withExtendedLifetime((application, scene, lock)) {} }

    let columns: [[(ScriptedSource, LifecycleEvent.Kind)]] = [
      [
        (applicationNotifications, .didBecomeActive), (sceneNotifications, .didFinishLaunching),
        (sessionLock, .didBecomeActive),
      ],
      [(sceneNotifications, .willEnterForeground), (sessionLock, .willResignActive)],
      [(applicationNotifications, .didEnterBackground), (sessionLock, .didBecomeActive)],
      [(sceneNotifications, .didEnterBackground)],
    ]
    return columns.map { reports in
      for (source, kind) in reports { source.report(kind) }
      return bus.phase
    }
  }

  func lock(_ session: ScriptedSource) throws -> LifecyclePhase {
    let lock = try bus.connect(session, as: .ceiling)
    defer { withExtendedLifetime(lock) {} }
    bus.send(.didBecomeActive)
    session.report(.willResignActive)
    return bus.phase
  }

  /// The phases of a screen's bus.
  func screens() -> [LifecyclePhase] {
    var phases: [LifecyclePhase] = []
    let application = bus
    application.send(.didBecomeActive)
    do {
      let screen = LifecycleBus(parent: application)
      screen.send(.didBecomeActive)
      phases.append(screen.phase)
      application.send(.didEnterBackground)
      phases.append(screen.phase)
      application.send(.didBecomeActive)
    }
    do {
      let screen = LifecycleBus(parent: application)
      screen.send(.didBecomeActive)
      screen.send(.didEnterBackground)
      phases.append(screen.phase)
    }
    return phases
  }

  func connectedScreen() throws -> LifecyclePhase {
    let application = bus
    let screen = LifecycleBus(clock: ManualClock())
    screen.send(.didBecomeActive)
    application.send(.didEnterBackground)
    let connection = try screen.connect(.bus(application), as: .ceiling)
    defer { withExtendedLifetime(connection) {} }
    return screen.phase
  }

  func diagnostics() -> LifecycleDiagnostics {
    customDump(bus.diagnostics)
    return bus.diagnostics
  }

  func application(_ scope: LifecycleScope, onRefresh: @escaping @MainActor (Duration) -> Void) {
    func refresh(after duration: Duration) { onRefresh(duration) }
    LifecycleBus.application.onReturn(in: scope) { stay in refresh(after: stay.duration) }
  }

  func injection() -> Screen {
    let bus = LifecycleBus(clock: ManualClock())
    let screen = LifecycleBus.withApplication(bus) { Screen() }
    return screen
  }

  @MainActor
  final class Screen {
    let bus = LifecycleBus.application
  }
}

import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import Observation
import ReactiveLifecycle

extension LifecycleEvent.Kind {
  static let documentDidSave: Self = "documentDidSave"
}

extension LifecycleEvent.Kind {
  nonisolated static let draftDidSave: Self = "draftDidSave"
}

nonisolated enum ObserverID { case autosave }

extension LifecycleEvent.Kinds {
  static let documentDidSave: Self = [.documentDidSave]
}

extension LifecycleSourceName {
  static let remoteControl: Self = "remoteControl"
}

extension LifecycleParticipant {
  static let mainWindow: Self = "main window"
}

struct Device: Sendable {
  enum Button { case home }

  func open(_ body: @escaping @Sendable (Button) -> Void) throws {}
  func close() {}
}

struct RemoteControl: LifecycleSource {
  let name: LifecycleSourceName = "remoteControl"
  let device: Device

  func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    try device.open { button in
      if button == .home { feed.send(.didEnterBackground) }
    }
    return { device.close() }
  }
}

private func save() {}
private func refresh() {}
private func unlock() {}
private func refresh(after duration: Duration) {}

private let news = News()

private struct News {
  func age(at instant: LifecycleInstant) -> Duration { .zero }
}

@MainActor
private func busSamples() {
  let bus = LifecycleBus()
  let scope = LifecycleScope("screen")
  bus.onReturn(in: scope) { stay in
    print("away for \(stay.timeAway)")
  }
  bus.send(.didBecomeActive)
  bus.send(.didEnterBackground)
  bus.send(.didBecomeActive)
  scope.end()

  bus.send(.didBecomeActive)
  bus.send(.didEnterBackground)  // from active: willResignActive comes first
}

@MainActor
private final class Player {
  var position = 12

  func resume(at position: Int?) {}
}

@MainActor
private func openingSamples(_ bus: LifecycleBus, in scope: LifecycleScope) {
  let clock = bus.clock
  bus.onOpen(in: scope) { _ in
    if news.age(at: clock.now) >= .seconds(60) { refresh() }
  }
  bus.openings.sink { opening in print(opening.timeAway) }.store(in: scope)
  bus.onReturn(after: .seconds(60), at: .active, in: scope) { _ in unlock() }
}

@MainActor
private func returnSamples(_ bus: LifecycleBus, _ player: Player) {
  do {
    let scope = LifecycleScope("rental list")
    bus.onReturn(in: scope) { stay in refresh(after: stay.timeAway) }
    scope.end()
  }
  let scope = LifecycleScope()
  bus.onReturn(in: scope, capturing: { player.position }) { stay, position in
    player.resume(at: position)
  }
  scope.end(at: [.didEnterBackground, .willTerminate], of: bus)
}

@MainActor
private func observerSamples(_ bus: LifecycleBus, in scope: LifecycleScope) {
  bus.events.sink { print($0.kind) }.store(in: scope)
  bus.publisher(for: [.didEnterBackground, .willTerminate])
    .sink { _ in save() }
    .store(in: scope)
  bus.addObserver(in: scope, id: "log") { event in print(event.kind) }
  bus.addObserver(in: scope) { event in print(event) }
  do {
    let saving: LifecycleEvent.Kinds = [.didEnterBackground, .willTerminate]
    bus.addObserver(for: saving, in: scope) { _ in save() }
  }
  do {
    let kinds = LifecycleEvent.Kinds.transitions.union([.systemDidWake])
    _ = kinds
  }
  do {
    let token = bus.addObserver(for: .didEnterBackground) { event in save() }
    token.cancel()
  }
}

@MainActor
private final class TokenKeeper {
  private var token: LifecycleCancellable?

  func observe(_ bus: LifecycleBus, in scope: LifecycleScope) {
    token = bus.addObserver(for: [.didEnterBackground, .willTerminate]) { _ in save() }
    bus.addObserver(for: [.didEnterBackground, .willTerminate], in: scope) { _ in save() }
  }
}

@MainActor
private final class LogViewModel {
  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { viewModel, event in viewModel.log(event) }
    bus.onOpen(self) { viewModel, opening in viewModel.load(at: opening.instant) }
    bus.onReturn(self) { viewModel, stay in viewModel.refresh(after: stay.timeAway) }
  }

  private func log(_ event: LifecycleEvent) {}
  private func load(at instant: LifecycleInstant) {}
  private func refresh(after duration: Duration) {}
}

private func serverSample(in scope: LifecycleScope, flush: @escaping @Sendable () -> Void) {
  let bus = NonisolatedLifecycleBus()
  bus.addObserver(for: .willTerminate, in: scope) { _ in flush() }
}

// MARK: Observation

@MainActor
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private func observationSamples(
  _ bus: LifecycleBus,
  setNeedsUpdate: @escaping @Sendable () -> Void,
  show: (String) -> Void
) {
  let lifecycle: ObservableLifecycle
  lifecycle = ObservableLifecycle(of: bus)
  withObservationTracking {
    show(lifecycle.isForeground ? "in sight" : "out of sight")
  } onChange: {
    setNeedsUpdate()
  }
  withExtendedLifetime(lifecycle) {}

  show(bus.observableState.isForeground ? "in sight" : "out of sight")
}

// MARK: Several sources

/// A source whose reports a test makes. The samples are compiled for Apple's platforms without the
/// tests' own.
private final class ScriptedSource: LifecycleSource {
  let name: LifecycleSourceName
  private let feed = Locked<LifecycleFeed?>(nil)

  init(_ name: LifecycleSourceName) { self.name = name }

  func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
    self.feed.withLock { $0 = feed }
    return {}
  }

  func report(_ kind: LifecycleEvent.Kind) {
    feed.withLock { $0 }?.send(kind)
  }
}

/// The phases of the bus in the columns of the article's table.
@MainActor
func severalSources() throws -> [LifecyclePhase] {
  let bus = LifecycleBus(clock: ManualClock())
  let applicationNotifications = ScriptedSource("application")
  let sceneNotifications = ScriptedSource("scene")
  let sessionLock = ScriptedSource("session lock")
  let scope = LifecycleScope()
  try bus.connect(applicationNotifications, in: scope)
  try bus.connect(sceneNotifications, as: .participant("main window"), in: scope)
  try bus.connect(sessionLock, as: .ceiling, in: scope)
  defer { scope.end() }
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

@MainActor
private func connectionSamples(
  _ bus: LifecycleBus,
  _ session: ScriptedSource,
  in scope: LifecycleScope
) throws {
  try bus.connect(session, as: .ceiling, in: scope)
  let connection = try bus.connect(session, as: .ceiling)
  connection.store(in: scope)
  customDump(bus.diagnostics)
}

@MainActor
private func parentSamples(_ application: LifecycleBus, in scope: LifecycleScope) throws {
  do {
    let screen = LifecycleBus(parent: application)
    screen.send(.didBecomeActive)
    screen.send(.didEnterBackground)
  }
  let screen = LifecycleBus()
  try screen.connect(.bus(application), as: .ceiling, in: scope)
}

@MainActor
private final class Screen {
  private let bus = LifecycleBus.application
}

@MainActor
private func applicationSamples(in scope: LifecycleScope) {
  LifecycleBus.application.onOpen(in: scope) { _ in refresh() }

  let bus = LifecycleBus(clock: ManualClock())
  let screen = LifecycleBus.withApplication(bus) { Screen() }
  let other =
    LifecycleBus.withApplication(.liveApplication) { Screen() }
  _ = (screen, other)
}

// MARK: Exit requests

@MainActor
private final class Editor {
  var hasChanges = true

  func askWhetherToSave() async -> Bool { true }
}

@MainActor
private func exitRequestSamples(
  _ bus: LifecycleBus,
  _ editor: Editor,
  in scope: LifecycleScope,
  quit: () -> Void
) async {
  bus.onExitRequest(in: scope) { request in
    guard editor.hasChanges, !request.isCancelled else { return .exit }
    return await editor.askWhetherToSave() ? .exit : .cancel
  }
  let result = await bus.requestExit(timeout: .seconds(5))
  if result.isCancelled { print("cancelled by \(result.cancelledBy)") } else { quit() }
}

private struct Upload {
  let isRunning = true
}

@MainActor
private func exitRequestSamples(_ bus: LifecycleBus, _ upload: Upload, in scope: LifecycleScope) {
  bus.onExitRequest(in: scope) { _ in upload.isRunning ? .cancel : .exit }
}

import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// What a source can be connected as, and whose notifications it hears.
@MainActor
@Suite("NotificationCenter source: roles and objects")
struct NotificationRoleTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())
  private let scope = LifecycleScope("test")

  private final class Window: Sendable {
    let name: String

    init(_ name: String) { self.name = name }
  }

  private func post(_ name: String, _ object: Any? = nil) {
    center.post(name: Notification.Name(name), object: object)
  }

  @Test(
    "Objects that are participants can't be a ceiling, which the error explains; a table without can"
  )
  func participantsCantBeCeiling() throws {
    var windows = NotificationTable()
    windows.add(.didBecomeActive, for: "Shown", about: .object("window"))
    let error = #expect(throws: NotificationCenterSource.RoleError.self) {
      try bus.connect(.notificationCenter(center, table: windows), as: .ceiling)
    }
    expectNoDifference(
      error?.description,
      """
      The source "notificationCenter" can't be a ceiling because each of its objects is a separate \
      participant. Connect the source to a separate bus, and that bus as the ceiling.
      """
    )
    let window = Window("main")
    post("Shown", window)
    #expect(bus.diagnostics.participants.isEmpty && bus.diagnostics.ceilings.isEmpty)
    try bus.connect(
      .notificationCenter(center, table: .uiApplication),
      as: .ceiling
    ).store(in: scope)
    post("UIApplicationDidBecomeActiveNotification")
    expectNoDifference(bus.phase, .active)
    withExtendedLifetime(window) {}
  }

  @Test(
    "A source whose object was released ignores all others, also one at the same address",
    .disabled(if: isAddressSanitized, "the sanitizer keeps addresses that were freed")
  )
  func oneObjectGone() throws {
    let table: NotificationTable = ["Shown": .didBecomeActive]
    var addresses: Set<ObjectIdentifier> = []
    var connections: [LifecycleCancellable] = []
    for _ in 0..<20 {
      let window = Window("gone")
      addresses.insert(ObjectIdentifier(window))
      connections.append(
        try bus.connect(NotificationCenterSource(center: center, object: window, table: table))
      )
    }
    let others = (0..<100).map { _ in Window("other") }
    #expect(others.contains { addresses.contains(ObjectIdentifier($0)) })
    for window in others { post("Shown", window) }
    expectNoDifference(bus.phase, .unknown)
    for connection in connections { connection.cancel() }
    withExtendedLifetime(others) {}
  }

  @Test("A ceiling limits the phase, whatever the role of the source")
  func ceiling() throws {
    var table: NotificationTable = ["Active": .didBecomeActive]
    table.addCeiling(from: "Locked", until: "Unlocked")
    try bus.connect(
      .notificationCenter(center, table: table),
      as: .participant("window"),
      in: scope
    )
    for name in ["Active", "Locked", "Active"] { post(name) }
    expectNoDifference(bus.phase, .background)
    post("Unlocked")
    expectNoDifference(bus.phase, .active)
  }
}

/// A window's own bus, fed by one scene.
@MainActor
@Suite("Notification scripts: one scene's own bus")
struct SceneBusTests {
  /// A scene that can tell where it stands.
  private final class Scene: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  private let center = NotificationCenter()
  private let application = LifecycleBus(clock: ManualClock())
  private let scope = LifecycleScope("test")
  private let left = Scene("left")
  private let right = Scene("right")

  private func source(_ scene: Scene, standing: String? = nil) -> NotificationCenterSource {
    NotificationCenterSource(
      center: center,
      object: scene,
      table: .uiScene { ($0 as? Scene)?.name },
      name: "uiScene"
    ) { [weak scene] in
      standing.map {
        [Notification(name: Notification.Name("UIScene\($0)Notification"), object: scene)]
      } ?? []
    }
  }

  private func post(_ stem: String, _ scene: Scene) {
    center.post(name: Notification.Name("UIScene\(stem)Notification"), object: scene)
  }

  @Test("A scene's bus receives its own scene's events only, with the scene's name")
  func ownScene() throws {
    let bus = LifecycleBus(clock: ManualClock())
    try bus.connect(source(left)).store(in: scope)
    let lines = Locked<[String]>([])
    bus.addObserver(in: scope) { event in
      lines.withLock { $0.append("\(event.kind) \(event.metadata["scene"] ?? "-")") }
    }
    for stem in ["WillConnect", "WillEnterForeground", "DidActivate"] {
      post(stem, right)
      post(stem, left)
    }
    post("DidEnterBackground", right)
    post("DidDisconnect", right)
    expectNoDifference(
      lines.withLock { $0 },
      ["didFinishLaunching left", "willEnterForeground left", "didBecomeActive left"]
    )
    expectNoDifference(bus.diagnostics.participants.map(\.name), [.application])
  }

  @Test(
    "Connected late, a scene's bus finds the phase of its scene",
    arguments: [
      ("DidActivate", LifecyclePhase.active), ("WillEnterForeground", .inactive),
      ("WillConnect", .background), (nil, .unknown),
    ] as [(String?, LifecyclePhase)]
  )
  func connectedLate(_ standing: String?, _ phase: LifecyclePhase) throws {
    let bus = LifecycleBus(clock: ManualClock())
    try bus.connect(source(left, standing: standing)).store(in: scope)
    expectNoDifference(bus.phase, phase)
  }

  @Test(
    "A scene's bus is never further forward than the application's, and ends with its scene"
  )
  func underApplication() throws {
    let windows = [left, right].map { _ in LifecycleBus(parent: application) }
    let connections = try zip(windows, [left, right]).map { try $0.connect(source($1)) }
    func phases() -> [LifecyclePhase] { [application.phase] + windows.map(\.phase) }
    for scene in [left, right] { post("DidActivate", scene) }
    expectNoDifference(phases(), [.unknown, .background, .background])
    application.send(.didBecomeActive)
    expectNoDifference(phases(), [.active, .active, .active])
    post("WillDeactivate", right)
    post("DidEnterBackground", right)
    expectNoDifference(phases(), [.active, .active, .background])
    post("DidDisconnect", right)
    post("WillEnterForeground", right)
    expectNoDifference(phases(), [.active, .active, .terminated])
    application.send(.willTerminate)
    expectNoDifference(phases(), [.terminated, .terminated, .terminated])
    for connection in connections { connection.cancel() }
  }

  @Test("The connection does not keep its scene")
  func releasesScene() throws {
    let bus = LifecycleBus(clock: ManualClock())
    var scene: Scene? = Scene("gone")
    weak let weakScene = scene
    let connection = try bus.connect(source(scene!, standing: "DidActivate"))
    expectNoDifference(bus.phase, .active)
    withExtendedLifetime(scene) {}
    scene = nil
    #expect(weakScene == nil)
    withExtendedLifetime(connection) {}
  }
}

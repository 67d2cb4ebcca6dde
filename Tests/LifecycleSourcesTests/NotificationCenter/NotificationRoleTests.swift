import CustomDump
import Foundation
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a source can be connected as, and whose notifications it hears.
@MainActor
@Suite("NotificationCenter source: roles and objects")
struct NotificationRoleTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())

  private final class Window: Sendable {
    let name: String

    init(_ name: String) { self.name = name }
  }

  private static let windows: NotificationTable = {
    var table = NotificationTable()
    table.add(.didBecomeActive, for: "Shown", about: .object("window"))
    table.add(.didEnterBackground, for: "Hidden", about: .object("window"))
    return table
  }()

  private func post(_ name: String, _ object: Any? = nil) {
    center.post(name: Notification.Name(name), object: object)
  }

  @Test(
    "Objects that are participants can't be a ceiling, which the error explains; a table without can"
  )
  func participantsCantBeCeiling() throws {
    let error = #expect(throws: NotificationCenterSource.RoleError.self) {
      try bus.connect(.notificationCenter(center, table: Self.windows), as: .ceiling)
    }
    expectNoDifference(
      error?.description,
      """
      The source "notificationCenter" can't be a ceiling because each of its objects is a separate \
      participant. Connect the source to a separate bus as a presence, and that bus as the ceiling.
      """
    )
    let window = Window("main")
    post("Shown", window)
    #expect(bus.diagnostics.participants.isEmpty && bus.diagnostics.ceilings.isEmpty)
    let connection = try bus.connect(
      .notificationCenter(center, table: .uiApplication),
      as: .ceiling
    )
    post("UIApplicationDidBecomeActiveNotification")
    expectNoDifference(bus.phase, .active)
    connection.cancel()
    withExtendedLifetime(window) {}
  }

  @Test(
    "With an object that is gone, nobody's notifications count, whoever has its address",
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

  @Test("With an object, only its notifications count")
  func oneObject() throws {
    let windows = [Window("left"), Window("right")]
    var table = NotificationTable()
    for name in Self.windows.names { table.add(LifecycleEvent.Kind(rawValue: name), for: name) }
    let connection = try bus.connect(
      NotificationCenterSource(center: center, object: windows[0], table: table)
    )
    var kinds: [String] = []
    let token = bus.addObserver { kinds.append($0.kind.rawValue) }
    post("Hidden", windows[0])
    post("Shown", windows[1])
    post("Shown")
    post("Shown", windows[0])
    expectNoDifference(kinds, ["Hidden", "Shown"])
    token.cancel()
    connection.cancel()
    withExtendedLifetime(windows) {}
  }

  @Test("A scene that is all there is: its end is the end of its bus, other scenes are not heard")
  func oneScene() throws {
    let scenes = [Window("left"), Window("right")]
    let connection = try bus.connect(
      NotificationCenterSource(
        center: center,
        object: scenes[0],
        table: .uiScene { ($0 as? Window)?.name }
      )
    )
    var seen: [String] = []
    let token = bus.addObserver { seen.append("\($0.kind) \($0.metadata)") }
    post("UISceneDidActivateNotification", scenes[1])
    for stem in ["WillConnect", "WillEnterForeground", "DidDisconnect"] {
      post("UIScene\(stem)Notification", scenes[0])
    }
    let scene = ["scene": "left"]
    expectNoDifference(
      seen,
      [
        "didFinishLaunching \(scene)", "willEnterForeground \(scene)", "didEnterBackground [:]",
        "willTerminate \(scene)",
      ]
    )
    expectNoDifference(bus.phase, .terminated)
    expectNoDifference(bus.diagnostics.participants.map(\.name), [.application])
    token.cancel()
    connection.cancel()
    withExtendedLifetime(scenes) {}
  }

  @Test(
    "A row about a ceiling, whatever the source is connected as, with its text",
    arguments: [.presence, .participant("window"), .ceiling] as [LifecycleRole]
  )
  func ceilingRow(role: LifecycleRole) throws {
    var table: NotificationTable = ["Active": .didBecomeActive]
    table.add(.willResignActive, for: "Covered", about: .ceiling) { _ in ["by": "a lock"] }
    let connection = try bus.connect(.notificationCenter(center, table: table), as: role)
    // A ceiling has no phase to limit.
    if role == .ceiling { bus.send(.didBecomeActive) }
    var seen: [String] = []
    let token = bus.addObserver { seen.append("\($0.kind) \($0.metadata)") }
    post("Active")
    seen = []
    post("Covered")
    post("Active")
    expectNoDifference(seen, ["willResignActive [\"by\": \"a lock\"]"])
    let others: [LifecyclePhase] = role == .ceiling ? [.active] : []
    expectNoDifference(bus.diagnostics.ceilings.map(\.phase), others + [.inactive])
    token.cancel()
    connection.cancel()
  }
}

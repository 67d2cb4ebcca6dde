import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Which objects are participants, and for how long.
@MainActor
@Suite("NotificationCenter source: participants")
struct NotificationFeedTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())
  private let scope = LifecycleScope("test")

  /// Windows, whose names come after the dash.
  private static let windows: NotificationTable = {
    var table: NotificationTable = ["Launched": .didFinishLaunching]
    for (name, kind) in [
      ("Shown", LifecycleEvent.Kind.didBecomeActive), ("Hidden", .didEnterBackground),
      ("Closed", .willTerminate),
    ] {
      table.add(kind, for: name, about: .object("window") { ($0 as? Window)?.name })
    }
    return table
  }()

  private final class Window: Sendable {
    let name: String?

    init(_ name: String? = nil) { self.name = name }
  }

  private func post(_ name: String, _ object: Any? = nil) {
    center.post(name: Notification.Name(name), object: object)
  }

  private func connect() throws -> LifecycleCancellable {
    try bus.connect(.notificationCenter(center, table: Self.windows))
  }

  private var participants: [String] {
    bus.diagnostics.participants.map { "\($0.name) \($0.phase)" }
  }

  @Test("A notification about nil or a value changes no participant")
  func valuesAreIgnored() throws {
    try connect().store(in: scope)
    post("Shown")
    post("Shown", 7)
    post("Shown", ["key": "value"])
    expectNoDifference(participants, ["application unknown"])
    expectNoDifference(bus.phase, .unknown)
    #expect(
      SuppressedInput.Reason.allCases.allSatisfy {
        bus.diagnostics.suppressedCounts[$0, default: 0] == 0
      }
    )
  }

  @Test("Objects are called by their number, or their name; two of one name are two participants")
  func objectsAreCalledByNumberOrName() throws {
    let connection = try connect()
    let windows = [Window(), Window("main"), Window("main"), Window()]
    for window in windows { post("Shown", window) }
    expectNoDifference(
      participants,
      [
        "application unknown", "window 1 active", "window 4 active", "window main active",
        "window main (3) active",
      ]
    )
    post("Closed", windows[1])
    post("Hidden", windows[2])
    post("Hidden", windows[2])
    expectNoDifference(
      participants,
      [
        "application unknown", "window 1 active", "window 4 active", "window main (3) background",
      ]
    )
    // The name is free again.
    let next = Window("main")
    post("Shown", next)
    #expect(participants.contains("window main active"))
    connection.cancel()
    expectNoDifference(participants, [])
    withExtendedLifetime((windows, next)) {}
  }

  @Test("An object that is posted again during its own end is a new participant")
  func backWithinItsOwnEnd() throws {
    try connect().store(in: scope)
    let window = Window("main")
    post("Shown", window)
    post("Launched")
    let token = bus.addObserver(for: [.didEnterBackground]) { [center] _ in
      center.post(name: Notification.Name("Closed"), object: window)
      center.post(name: Notification.Name("Shown"), object: window)
    }
    post("Closed", window)
    expectNoDifference(participants, ["application background", "window main (3) active"])
    expectNoDifference(bus.phase, .active)
    token.cancel()
    post("Closed", window)
    expectNoDifference(participants, ["application background"])
    expectNoDifference(bus.phase, .background)
  }

  private final class Doomed: Sendable {
    let farewell: @Sendable (Doomed) -> Void

    init(farewell: @escaping @Sendable (Doomed) -> Void) { self.farewell = farewell }
    deinit { farewell(self) }
  }

  @Test("An object may post its end in its deinit")
  func lastWordInDeinit() throws {
    try connect().store(in: scope)
    post("Launched")
    do {
      let window = Doomed { [center] in
        center.post(name: Notification.Name("Closed"), object: $0)
      }
      post("Shown", window)
      withExtendedLifetime(window) {}
    }
    expectNoDifference(participants, ["application background"])
    expectNoDifference(bus.phase, .background)
  }

  @Test("Objects of two sources on one bus are participants with different numbers")
  func twoSources() throws {
    let early = try connect()
    let windows = [Window(), Window()]
    post("Launched")
    post("Shown", windows[0])
    let late = try connect()
    post("Shown", windows[1])
    post("Hidden", windows[0])
    // Both receive the second window, one after the other.
    expectNoDifference(
      participants,
      [
        "application background", "window 1 background", "window 2 active", "window 3 active",
        "window 4 background",
      ]
    )
    post("Closed", windows[1])
    expectNoDifference(bus.phase, .background)
    post("Shown", windows[0])
    expectNoDifference(bus.phase, .active)
    late.cancel()
    expectNoDifference(participants, ["application background", "window 1 active"])
    early.cancel()
    withExtendedLifetime(windows) {}
  }

  @Test("Participants of a source cancelled inside a post leave after the accepted events")
  func cancelledInside() throws {
    let connection = try connect()
    let window = Window()
    var seen: [String] = []
    bus.addObserver(in: scope) { event in
      if event.kind == .willEnterForeground { connection.cancel() }
      seen.append("\(event.kind)")
    }
    post("Launched")
    post("Shown", window)
    post("Hidden", window)
    // With nobody left the phase stays as it is.
    expectNoDifference(seen, ["didFinishLaunching", "willEnterForeground", "didBecomeActive"])
    expectNoDifference(participants, [])
    withExtendedLifetime((connection, window)) {}
  }
}

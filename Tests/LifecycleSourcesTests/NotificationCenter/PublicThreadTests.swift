import CustomDump
import Foundation
import LifecycleCombine
import LifecycleSources
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// What people reported of notifications: first by hand on a plain centre, which shows the fault, then
/// with a bus on the same centre.
@MainActor
@Suite("Pitfalls: notifications")
struct PublicThreadTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())
  private let application = NSObject()
  private let scene = NSObject()

  private final class Count: Sendable {
    private let state = Locked(0)
    func increment() { state.withLock { $0 += 1 } }
    var value: Int { state.withLock { $0 } }
  }

  private func post(_ name: String) {
    let object = name.hasPrefix("UIScene") ? scene : name.hasPrefix("UIApp") ? application : nil
    center.post(name: Notification.Name(name), object: object)
  }

  private func observe(_ name: String, _ body: @escaping @Sendable () -> Void)
    -> any NSObjectProtocol
  {
    center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in body() }
  }

  private func becomeActive() { post("UIApplicationDidBecomeActiveNotification") }
  private func resign() { post("UIApplicationWillResignActiveNotification") }

  // "Could UIApplicationWillResignActiveNotification and UISceneWillDeactivateNotification both be
  // fired for the same app close? Same thing for becoming active."
  @Test("One handler for the application's and the scene's notifications (firebase-ios-sdk#3927)")
  func applicationAndScene() throws {
    func closeAndOpen() {
      post("UISceneWillDeactivateNotification")
      resign()
      post("UISceneDidActivateNotification")
      becomeActive()
    }

    let byHand = Count()
    let observers = [
      "UIApplicationWillResignActiveNotification", "UISceneWillDeactivateNotification",
      "UIApplicationDidBecomeActiveNotification", "UISceneDidActivateNotification",
    ].map { observe($0) { byHand.increment() } }
    closeAndOpen()
    expectNoDifference(byHand.value, 4)
    for observer in observers { center.removeObserver(observer) }

    let connections = [
      try bus.connect(.notificationCenter(center, table: .uiApplication)),
      try bus.connect(.notificationCenter(center, table: .uiScenes)),
    ]
    becomeActive()
    post("UISceneDidActivateNotification")
    var kinds: [LifecycleEvent.Kind] = []
    let token = bus.addObserver(for: [.willResignActive, .didBecomeActive]) {
      kinds.append($0.kind)
    }
    closeAndOpen()
    expectNoDifference(kinds, [.willResignActive, .didBecomeActive])
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  // "'resume' and 'suspend' event send twice": two parts of one program observed the workspace.
  @Test("Two parts of a program observe the workspace (electron#24803)")
  func twoPartsOfProgramObserveWorkspace() throws {
    func sleepAndWake() {
      post("NSWorkspaceWillSleepNotification")
      post("NSWorkspaceDidWakeNotification")
    }

    let byHand = Count()
    let observers = (0..<2).flatMap { _ in
      [
        observe("NSWorkspaceWillSleepNotification") { byHand.increment() },
        observe("NSWorkspaceDidWakeNotification") { byHand.increment() },
      ]
    }
    sleepAndWake()
    expectNoDifference(byHand.value, 4)
    for observer in observers { center.removeObserver(observer) }

    // One connection, whoever observes.
    var connections = [try bus.connect(.notificationCenter(center, table: .workspace))]
    var kinds: [[LifecycleEvent.Kind]] = [[], []]
    let tokens = [0, 1].map { library in bus.addObserver { kinds[library].append($0.kind) } }
    sleepAndWake()
    expectNoDifference(kinds[0], [.systemWillSleep, .systemDidWake])
    expectNoDifference(kinds[1], kinds[0])

    // Notices change no phase: a second connection is heard for itself. What the two say about the
    // session is a state, and counts once.
    connections.append(try bus.connect(.notificationCenter(center, table: .workspace)))
    bus.send(.didBecomeActive)
    kinds = [[], []]
    sleepAndWake()
    post("NSWorkspaceSessionDidResignActiveNotification")
    post("NSWorkspaceSessionDidBecomeActiveNotification")
    expectNoDifference(
      kinds[0],
      [
        .systemWillSleep, .systemWillSleep, .systemDidWake, .systemDidWake,
        .willResignActive, .didEnterBackground, .willEnterForeground, .didBecomeActive,
      ]
    )
    expectNoDifference(bus.diagnostics.suppressedCounts[.masked, default: 0], 2)
    for token in tokens { token.cancel() }
    for connection in connections { connection.cancel() }
  }

  // Suspended came from willResignActive, Resumed from willEnterForeground.
  @Test("Suspended by Control Center, and never resumed (tauri-apps/tao#1307)")
  func suspendedByControlCenterAndNeverResumed() throws {
    let resumed = Count()
    let suspended = Count()
    let observers = [
      observe("UIApplicationWillResignActiveNotification") { suspended.increment() },
      observe("UIApplicationWillEnterForegroundNotification") { resumed.increment() },
    ]
    resign()
    becomeActive()
    #expect((suspended.value, resumed.value) == (1, 0))
    for observer in observers { center.removeObserver(observer) }

    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    becomeActive()
    var work: [String] = []
    let sink = PassthroughSubject<Int, Never>()
      .handleEvents(
        receiveSubscription: { _ in work.append("resumed") },
        receiveCancel: { work.append("suspended") }
      )
      .whilePhase(.atLeast(.active), of: bus)
      .sink { _ in }
    expectNoDifference(work, ["resumed"])
    // Control Center, then home and back.
    resign()
    becomeActive()
    resign()
    post("UIApplicationDidEnterBackgroundNotification")
    post("UIApplicationWillEnterForegroundNotification")
    becomeActive()
    resign()
    expectNoDifference(
      work,
      ["resumed", "suspended", "resumed", "suspended", "resumed", "suspended"]
    )
    sink.cancel()
    connection.cancel()
  }

  // Each opening of the screen added a listener; there by the Android activity, here by a screen.
  @Test("A screen that registers again each time it appears (react-native#25041)")
  func registersAgain() throws {
    let byHand = Count()
    var observers: [any NSObjectProtocol] = []
    for _ in 1...3 {
      observers.append(
        observe("UIApplicationDidBecomeActiveNotification") { byHand.increment() }
      )
      becomeActive()
    }
    expectNoDifference(byHand.value, 1 + 2 + 3)
    for observer in observers { center.removeObserver(observer) }

    // The screen connects and observes each time, and lets go of what it had.
    let heard = Count()
    let table = tableThatCounts(heard)
    var connection: LifecycleCancellable?
    var token: LifecycleCancellable?
    var alerts = 0
    for _ in 1...3 {
      connection = try bus.connect(.notificationCenter(center, table: table))
      token = bus.addObserver(for: [.didBecomeActive]) { _ in alerts += 1 }
      becomeActive()
      resign()
    }
    expectNoDifference(alerts, 3)
    expectNoDifference(heard.value, 3, "one observer of the centre at a time")
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    token?.cancel()
    connection?.cancel()
  }

  // "the observer not being unregistered": the token of a block was dropped.
  @Test("A dropped token leaves its block in the centre (WordPress-iOS#20994)")
  func droppedToken() throws {
    let byHand = Count()
    _ = observe("UIApplicationDidBecomeActiveNotification") { byHand.increment() }
    becomeActive()
    expectNoDifference(byHand.value, 1, "called, though nobody wants it any more")

    let heard = Count()
    weak var released: Count?
    do {
      let captured = Count()
      released = captured
      let connection = try bus.connect(
        .notificationCenter(center, table: tableThatCounts(heard, captured))
      )
      becomeActive()
      withExtendedLifetime(connection) {}
    }
    expectNoDifference(heard.value, 1)
    becomeActive()
    resign()
    expectNoDifference(heard.value, 1, "nothing of the source is left in the centre")
    #expect(released == nil, "and nothing that its table captured")
    expectNoDifference(bus.diagnostics.suppressedCounts[.disconnected, default: 0], 0)
  }

  /// `.uiApplication`, but counting each call of the centre that activates.
  private func tableThatCounts(_ count: Count, _ captured: Count? = nil) -> NotificationTable {
    var table = NotificationTable.uiApplication
    table.add(.didBecomeActive, for: "UIApplicationDidBecomeActiveNotification") { _ in
      count.increment()
      captured?.increment()
      return [:]
    }
    return table
  }
}

import CustomDump
import Foundation
import LifecycleCombine
import LifecycleSources
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A real `NotificationCenter`, and the raw names of `UIApplication`.
@MainActor
@Suite("NotificationCenter source")
struct NotificationCenterSourceTests {
  private let center = NotificationCenter()
  private let clock = ManualClock()
  private let bus: LifecycleBus
  private let application = NSObject()

  init() { bus = LifecycleBus(clock: clock) }

  private func post(_ name: String, object: Any? = nil, userInfo: [String: Any]? = nil) {
    center.post(
      name: Notification.Name(name),
      object: object as AnyObject?,
      userInfo: userInfo
    )
  }

  /// As on a device: the system posts with the application, and the delegate posts it again.
  private func postAsOnDevice(_ stem: String) {
    post("UIApplication\(stem)Notification", object: application)
    post("UIApplication\(stem)Notification")
  }

  /// Traces every event and every suppressed input.
  private func watch(_ body: (_ trace: @escaping @Sendable () -> [String]) throws -> Void) rethrows
  {
    let lines = Locked<[String]>([])
    let token = bus.addObserver { event in
      lines.withLock { $0.append("\(event.sequenceNumber) \(event.kind) \(event.origin)") }
    }
    let suppressed = bus.suppressedInputs.sink { input in
      lines.withLock { $0.append("\(input.kind) \(input.reason) \(input.origin)") }
    }
    try body {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
    token.cancel()
    suppressed.cancel()
  }

  @Test("Every row of the UIApplication table is heard under its raw name")
  func uiApplicationTable() throws {
    let names = [
      "UIApplicationDidBecomeActiveNotification",
      "UIApplicationDidEnterBackgroundNotification",
      "UIApplicationDidFinishLaunchingNotification",
      "UIApplicationDidReceiveMemoryWarningNotification",
      "UIApplicationProtectedDataDidBecomeAvailable",
      "UIApplicationProtectedDataWillBecomeUnavailable",
      "UIApplicationSignificantTimeChangeNotification",
      "UIApplicationWillEnterForegroundNotification",
      "UIApplicationWillResignActiveNotification",
      "UIApplicationWillTerminateNotification",
    ]
    expectNoDifference(NotificationTable.uiApplication.names, names)
    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    watch { trace in
      for stem in ["DidFinishLaunching", "WillEnterForeground", "DidBecomeActive"] {
        post("UIApplication\(stem)Notification", object: application)
      }
      post("UIApplicationDidReceiveMemoryWarningNotification")
      post("UIApplicationSignificantTimeChangeNotification")
      post("UIApplicationProtectedDataWillBecomeUnavailable")
      post("UIApplicationProtectedDataDidBecomeAvailable")
      for stem in ["WillResignActive", "DidEnterBackground", "WillTerminate"] {
        post("UIApplication\(stem)Notification", object: application)
      }
      expectNoDifference(
        trace(),
        [
          "1 didFinishLaunching", "2 willEnterForeground", "3 didBecomeActive",
          "4 didReceiveMemoryWarning", "5 significantTimeChange",
          "6 protectedDataWillBecomeUnavailable", "7 protectedDataDidBecomeAvailable",
          "8 willResignActive", "9 didEnterBackground", "10 willTerminate",
        ].map { "\($0) source(notificationCenter)" }
      )
    }
    connection.cancel()
  }

  @Test("The system posts, the delegate posts again: once")
  func postedTwice() throws {
    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    let stays = Locked<[Duration]>([])
    let scope = LifecycleScope()
    bus.onReturn(in: scope) { stay in stays.withLock { $0.append(stay.duration) } }
    postAsOnDevice("DidBecomeActive")
    watch { trace in
      postAsOnDevice("WillResignActive")
      postAsOnDevice("DidEnterBackground")
      clock.advance(by: .seconds(90))
      postAsOnDevice("WillEnterForeground")
      postAsOnDevice("DidBecomeActive")
      expectNoDifference(
        trace(),
        [
          "4 willResignActive source(notificationCenter)",
          "willResignActive duplicate source(notificationCenter)",
          "5 didEnterBackground source(notificationCenter)",
          "didEnterBackground duplicate source(notificationCenter)",
          "6 willEnterForeground source(notificationCenter)",
          "willEnterForeground duplicate source(notificationCenter)",
          "7 didBecomeActive source(notificationCenter)",
          "didBecomeActive duplicate source(notificationCenter)",
        ]
      )
    }
    expectNoDifference(stays.withLock { $0 }, [.seconds(90)])
    connection.cancel()
    scope.end()
  }

  @Test("Observers are called in the order of their registration, which the centre's are not")
  func observersRunInOrderOfRegistration() throws {
    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    let calls = Locked<[Int]>([])
    let tokens = (0..<20).map { number in
      bus.addObserver { _ in calls.withLock { $0.append(number) } }
    }
    post("UIApplicationDidFinishLaunchingNotification")
    expectNoDifference(calls.withLock { $0 }, Array(0..<20))
    for token in tokens { token.cancel() }
    connection.cancel()
  }

  @Test("The bus has the input before the post returns")
  func busHasInputBeforePostReturns() throws {
    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    post("UIApplicationDidEnterBackgroundNotification")
    expectNoDifference(bus.phase, .background)
    connection.cancel()
  }

  @Test("One observer per name, removed on cancel, by release, and with its scope")
  func observersOfTheCentre() throws {
    for way in ["cancel", "release", "scope"] {
      // A row's text is made once for each observer that the centre calls.
      let calls = Locked<[String]>([])
      var table = NotificationTable()
      for name in ["A", "B"] {
        table.add(.systemDidWake, for: name) { notification in
          calls.withLock { $0.append(notification.name.rawValue) }
          return [:]
        }
      }
      let scope = LifecycleScope()
      var connection: LifecycleCancellable? = try bus.connect(
        .notificationCenter(center, table: table)
      )
      post("A")
      post("B", object: application)
      expectNoDifference(calls.withLock { $0 }, ["A", "B"])
      switch way {
      case "cancel":
        connection?.cancel()
        connection?.cancel()
      case "release": connection = nil
      default:
        connection?.store(in: scope)
        connection = nil
        post("A")
        expectNoDifference(calls.withLock { $0 }, ["A", "B", "A"])
        scope.end()
      }
      calls.withLock { $0 = [] }
      post("A")
      post("B")
      expectNoDifference(calls.withLock { $0 }, [], way)
      _ = connection
    }
    expectNoDifference(bus.suppressedCount(.disconnected), 0)
  }

  @Test("A post that is in delivery when the connection is cancelled is suppressed as disconnected")
  func cancelledInPost() throws {
    // The centre still calls an observer that is removed during the post; whichever of the two
    // sources hears first cancels the other.
    let box = Locked<[LifecycleCancellable]>([])
    let table: NotificationTable = ["Wake": .systemDidWake]
    let connections = try ["one", "two"].map {
      try bus.connect(
        .notificationCenter(center, table: table, name: LifecycleSourceName(rawValue: $0))
      )
    }
    box.withLock { $0 = connections }
    watch { trace in
      let token = bus.addObserver { event in
        let isOne = event.origin == .source("one")
        box.withLock { $0[isOne ? 1 : 0] }.cancel()
      }
      post("Wake")
      token.cancel()
      let lines = trace()
      #expect(
        lines == ["1 systemDidWake source(one)", "systemDidWake disconnected source(two)"]
          || lines == ["1 systemDidWake source(two)", "systemDidWake disconnected source(one)"],
        "\(lines)"
      )
      #expect(bus.suppressedCount(.disconnected) == 1)
    }
  }

  @Test("A row extracts text from its notification; no notification leaves the source")
  func userInfo() throws {
    var table: NotificationTable = ["Plain": .systemWillSleep]
    table.add(.systemDidWake, for: "Wake") { notification in
      ["reason": notification.userInfo?["reason"] as? String ?? "unknown"]
    }
    let connection = try bus.connect(
      .notificationCenter(center, table: table, name: "workspace")
    )
    let seen = Locked<[String]>([])
    let token = bus.addObserver { event in
      seen.withLock { $0.append("\(event.kind) \(event.origin) \(event.metadata)") }
    }
    post("Wake", userInfo: ["reason": "lid", "other": 1])
    post("Wake")
    post("Plain", userInfo: ["reason": "ignored"])
    post("Unlisted")
    expectNoDifference(
      seen.withLock { $0 },
      [
        "systemDidWake source(workspace) [\"reason\": \"lid\"]",
        "systemDidWake source(workspace) [\"reason\": \"unknown\"]",
        "systemWillSleep source(workspace) [:]",
      ]
    )
    token.cancel()
    connection.cancel()
  }

  @Test("Adding a name again replaces what it meant")
  func replacedRow() throws {
    var table = NotificationTable()
    table.add(.systemDidWake, for: "Name")
    table.add(.systemWillSleep, for: "Name")
    expectNoDifference(table.names, ["Name"])
    let connection = try bus.connect(.notificationCenter(center, table: table))
    watch { trace in
      post("Name")
      expectNoDifference(trace(), ["1 systemWillSleep source(notificationCenter)"])
    }
    connection.cancel()
  }

  @Test("A name is a raw string or a Notification.Name")
  func nameIsRawStringOrNotificationName() throws {
    var table: NotificationTable = [
      "Raw": .systemWillSleep,
      Notification.Name.declared: .systemDidWake,
    ]
    table.add(.didReceiveMemoryWarning, for: .added) { ["text": $0.name.rawValue] }
    table.add(.significantTimeChange, for: .replaced)
    table.add(.systemWillPowerOff, for: "Replaced")
    table.add(.willResignActive, for: .covered, about: .ceiling)
    expectNoDifference(table.names, ["Added", "Covered", "Declared", "Raw", "Replaced"])
    let connection = try bus.connect(.notificationCenter(center, table: table))
    var texts: [[String: String]] = []
    let observer = bus.addObserver(for: .didReceiveMemoryWarning) { texts.append($0.metadata) }
    watch { trace in
      for name in table.names where name != "Covered" { post(name) }
      expectNoDifference(
        trace(),
        [
          "1 didReceiveMemoryWarning source(notificationCenter)",
          "2 systemDidWake source(notificationCenter)",
          "3 systemWillSleep source(notificationCenter)",
          "4 systemWillPowerOff source(notificationCenter)",
        ]
      )
    }
    expectNoDifference(texts, [["text": "Added"]])
    post("Covered")
    expectNoDifference(bus.diagnostics.ceilings.map(\.phase), [.inactive])
    observer.cancel()
    connection.cancel()
  }

  @Test("Posted on another thread, which makes the text, the input follows on the main actor")
  func postedElsewhere() async throws {
    let threads = Locked<[ObjectIdentifier]>([])
    var table = NotificationTable()
    table.add(.didEnterBackground, for: "Hidden") { _ in
      threads.withLock { $0.append(currentThread()) }
      return [:]
    }
    let connection = try bus.connect(.notificationCenter(center, table: table))
    let center = center
    await withCheckedContinuation { continuation in
      let token = bus.addObserver(for: [.didEnterBackground]) { _ in
        MainActor.assertIsolated()
        continuation.resume()
      }
      Thread {
        threads.withLock { $0.append(currentThread()) }
        center.post(name: Notification.Name("Hidden"), object: nil)
        _ = token
      }.start()
      hold(token)
    }
    expectNoDifference(bus.phase, .background)
    let found = threads.withLock { $0 }
    #expect(found.count == 2 && found.first == found.last)
    connection.cancel()
    scope.end()
  }

  private let scope = LifecycleScope()
  private func hold(_ token: LifecycleSubscription) { token.store(in: scope) }

  @Test("A centre's posts reach each bus that is connected to it")
  func twoBuses() throws {
    let other = NonisolatedLifecycleBus()
    let connections = [
      try bus.connect(.notificationCenter(center, table: .uiApplication)),
      try other.connect(.notificationCenter(center, table: .uiApplication)),
    ]
    post("UIApplicationDidBecomeActiveNotification")
    #expect(bus.phase == .active && other.phase == .active)
    connections[0].cancel()
    post("UIApplicationDidEnterBackgroundNotification")
    #expect(bus.phase == .active && other.phase == .background)
    connections[1].cancel()
  }
}

extension Notification.Name {
  fileprivate static let added = Self("Added")
  fileprivate static let covered = Self("Covered")
  fileprivate static let declared = Self("Declared")
  fileprivate static let replaced = Self("Replaced")
}

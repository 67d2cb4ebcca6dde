import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Recipe: OpenTelemetry")
@MainActor
struct TelemetryRecipeTests {
  private final class Log: EventLogger {
    var lines: [String] = []
    private var ids: [String] = []

    /// Writes down the event, with numbers for the identifiers of sessions.
    func emit(_ event: String, at instant: LifecycleInstant, _ attributes: [String: String]) {
      let seconds = Int((instant.timeSince1970 - .seconds(1_767_225_600)) / .seconds(1))
      let texts = attributes.sorted { $0.key < $1.key }.map { key, value in
        guard key != "ios.app.state" else { return value }
        if !ids.contains(value) { ids.append(value) }
        return "\(key) \(ids.firstIndex(of: value)! + 1)"
      }
      lines.append("\(seconds) \(event): \(texts.joined(separator: ", "))")
    }
  }

  @Test(
    "A visit, a kill and a return after half an hour are events by the names of the conventions"
  )
  func names() {
    let log = Log()
    let lifecycle = ScriptedLifecycle { process in
      let journal = try LifecycleJournal(at: "a", of: process.bus, fileSystem: process.fileSystem)
      process.keep(Telemetry(of: process.bus, in: journal, to: log))
    }
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(60)), .enterBackground)
    lifecycle.perform(.kill, .advance(by: .seconds(1800)), .relaunch, .becomeActive)
    let expected = """
      0 session.start: session.id 1
      0 device.app.lifecycle: foreground, session.id 1
      0 device.app.lifecycle: active, session.id 1
      60 device.app.lifecycle: inactive, session.id 1
      60 device.app.lifecycle: background, session.id 1
      60 session.end: session.id 1
      1860 session.start: session.id 2, session.previous_id 1
      1860 device.app.lifecycle: foreground, session.id 2, session.previous_id 1
      1860 device.app.lifecycle: active, session.id 2, session.previous_id 1
      """
    #expect(log.lines == expected.split(separator: "\n").map(String.init))
  }
}

@Suite("Recipe: time in the app")
@MainActor
struct TimeInAppRecipeTests {
  @Test("The time of today includes the visit under way, survives a kill, and begins anew each day")
  func today() throws {
    var time: TimeInApp?
    let lifecycle = ScriptedLifecycle { process in
      let journal = try LifecycleJournal(at: "a", of: process.bus, fileSystem: process.fileSystem)
      process.keep(journal)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      time = TimeInApp(of: process.bus, in: journal, calendar: calendar)
    }
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(600)))
    #expect(time?.today == .seconds(600))
    lifecycle.perform(.enterBackground, .kill, .advance(by: .seconds(3600)), .relaunch)
    #expect(time?.today == .seconds(600))
    lifecycle.perform(.becomeActive, .advance(by: .seconds(60)), .background(for: .seconds(5)))
    lifecycle.perform(.advance(by: .seconds(60)))
    #expect(time?.today == .seconds(720))
    lifecycle.perform(.enterBackground, .advance(by: .seconds(86_400)), .becomeActive)
    lifecycle.perform(.advance(by: .seconds(30)))
    #expect(time?.today == .seconds(30))
  }
}

@Suite("Recipe: the end of a countdown as a date")
@MainActor
struct EndDateRecipeTests {
  let lifecycle = ScriptedLifecycle()

  /// The seconds from the script's beginning to the announced dates, by the clock at its beginning.
  private func announcements(
    _ behavior: Countdown.BackgroundBehavior = .catchUp,
    _ actions: (Countdown) -> Void
  ) -> [Double?] {
    let clock = lifecycle.clock
    let begin = clock.now.timeSince1970
    func now() -> Date {
      Date(timeIntervalSince1970: (clock.now.timeSince1970 - begin) / .seconds(1))
    }
    let countdown = Countdown(.seconds(300), of: lifecycle.bus, inBackground: behavior)
    var dates: [Double?] = []
    let end = EndDate(of: countdown, now: now) { dates.append($0?.timeIntervalSince1970) }
    lifecycle.perform(.launch, .becomeActive)
    countdown.start()
    actions(countdown)
    withExtendedLifetime(end) {}
    return dates
  }

  @Test("The end is announced once, and again when it moves")
  func moves() {
    let dates = announcements { countdown in
      lifecycle.perform(.advance(by: .seconds(10)), .background(for: .seconds(60)))
      countdown.extend(by: .seconds(30))
      lifecycle.perform(.advance(by: .seconds(10)))
      countdown.pause()
      lifecycle.perform(.advance(by: .seconds(10)))
      countdown.resume()
      countdown.reset()
    }
    #expect(dates == [nil, 300, 330, nil, 340, nil])
  }

  @Test("When the clock was set, the date is corrected on the return, or at the next tick")
  func clockWasSet() {
    let dates = announcements { _ in
      lifecycle.perform(
        .enterBackground,
        .setWallClock(by: .seconds(-3600)),
        .advance(by: .seconds(60)),
        .enterForeground,
        .becomeActive,
        .setWallClock(by: .seconds(3600)),
        .advance(by: .seconds(1))
      )
    }
    #expect(dates == [nil, 300, -3300, 300])
  }

  @Test("A date that a killed process has announced is withdrawn if the countdown has ended since")
  func killed() {
    let running = Countdown(.seconds(300), of: lifecycle.bus)
    running.start()
    let saved = running.savedState
    lifecycle.perform(.launch, .kill, .advance(by: .seconds(301)), .relaunch)
    var dates: [Date?] = []
    let countdown = Countdown(restoring: saved, of: lifecycle.bus)
    let end = EndDate(of: countdown) { dates.append($0) }
    #expect(dates == [nil])
    withExtendedLifetime((running, countdown, end)) {}
  }

  @Test("A countdown that pauses in the background has no date there")
  func pauses() {
    let dates = announcements(.pause) { _ in lifecycle.perform(.background(for: .seconds(60))) }
    #expect(dates == [nil, 300, nil, 360])
  }
}

@Suite("Recipe: custom event kinds")
@MainActor
struct KindRecipeTests {
  @Test("A model follows the power mode")
  func powerMode() {
    let lifecycle = ScriptedLifecycle()
    var hasLittlePower = true
    let upload = PhotoUpload(of: lifecycle.bus) { hasLittlePower }
    lifecycle.perform(.launch, .becomeActive, .send(.powerModeDidChange))
    #expect(upload.isPaused)
    hasLittlePower = false
    lifecycle.perform(.send(.thermalStateDidChange))
    #expect(!upload.isPaused)
  }
}

@Suite("Recipe: a tap before its screen exists")
@MainActor
struct TapRecipeTests {
  @Test("The latest tap of a launch is opened when the app is active, and later ones at once")
  func tapAtLaunch() {
    let lifecycle = ScriptedLifecycle()
    func tap(_ thread: String) {
      lifecycle.bus.send(.notificationWasTapped, metadata: ["thread": thread])
    }
    var opened: [String] = []
    let router = TapRouter(of: lifecycle.bus) { opened.append($0) }
    tap("1")
    lifecycle.perform(.launch)
    tap("2")
    // What a screen that is created now would get.
    var late: [LifecycleEvent] = []
    let screen = lifecycle.bus.addObserver(for: [.notificationWasTapped], catchUp: .path) {
      late.append($0)
    }
    #expect(opened == [])
    lifecycle.perform(.becomeActive)
    #expect(opened == ["2"])
    #expect(late == [])
    tap("3")
    #expect(opened == ["2", "3"])
    withExtendedLifetime((router, screen)) {}
  }
}

@Suite("Recipe: a lock and a cover")
@MainActor
struct LockRecipeTests {
  @MainActor
  private final class Sheet {
    private(set) var questions = 0
    private var open: [CheckedContinuation<Bool, Never>] = []

    func ask() async -> Bool {
      questions += 1
      return await withCheckedContinuation { open.append($0) }
    }

    /// Answers the oldest question, and lets its task continue.
    func answer(_ lifecycle: ScriptedLifecycle) async {
      if !open.isEmpty { open.removeFirst().resume(returning: true) }
      await lifecycle.perform(.advance(by: .zero))
    }
  }

  private let lifecycle = ScriptedLifecycle()
  private let sheet = Sheet()

  @Test(
    "It locks after a minute away, whatever the clock says, and asks at the activation",
    arguments: [
      ([.enterBackground, .advance(by: .seconds(59))], false),
      ([.enterBackground, .advance(by: .seconds(60))], true),
      ([.enterBackground, .setWallClock(by: .seconds(-3600)), .advance(by: .seconds(60))], true),
      // Control Center.
      ([.resignActive], false),
      // Opened for a second without an activation, left, and opened again.
      ([.enterBackground, .advance(by: .seconds(600)), .enterForeground, .enterBackground], true),
    ] as [([LifecycleStep], Bool)]
  )
  func locks(after steps: [LifecycleStep], again isLocked: Bool) async {
    let lock = AppLock(of: lifecycle.bus) { [sheet] in await sheet.ask() }
    await lifecycle.perform(.launch)
    #expect(lock.isLocked && lock.isCovered && sheet.questions == 0)
    // Its own sheet makes the app inactive, and active again.
    await lifecycle.perform(.becomeActive, .resignActive, .becomeActive)
    #expect(lock.isLocked && !lock.isCovered && sheet.questions == 1)
    await sheet.answer(lifecycle)
    #expect(!lock.isLocked)
    await lifecycle.perform(steps + [.becomeActive])
    #expect(lock.isLocked == isLocked)
    #expect(sheet.questions == (isLocked ? 2 : 1))
    if isLocked { await sheet.answer(lifecycle) }
  }

  @Test("The switcher's picture is covered; a late answer does not open the next lock")
  func coversAndIgnoresLateAnswer() async {
    let lock = AppLock(of: lifecycle.bus) { [sheet] in await sheet.ask() }
    await lifecycle.perform(.launch, .becomeActive, .resignActive)
    #expect(!lock.isCovered, "what is under its own sheet")
    await lifecycle.perform(.enterBackground)
    #expect(lock.isCovered)
    await lifecycle.perform(.advance(by: .seconds(60)), .becomeActive)
    await sheet.answer(lifecycle)
    #expect(lock.isLocked)
    await sheet.answer(lifecycle)
    #expect(!lock.isLocked)
    await lifecycle.perform(.resignActive)
    #expect(lock.isCovered)
  }
}

@Suite("Recipe: a locked Mac, and Objective-C")
@MainActor
struct CenterRecipeTests {
  private let center = NotificationCenter()
  private let lifecycle = ScriptedLifecycle()
  private let scope = LifecycleScope()

  @Test("A Mac is in the background until it is unlocked and its screen saver has stopped")
  func lockedMac() throws {
    let bus = lifecycle.bus
    try bus.connect(.notificationCenter(center, table: .macScreenLock), in: scope)
    lifecycle.perform(.launch, .becomeActive)
    let phases = ["saver.didstart", "IsLocked", "saver.didstop", "IsUnlocked"].map { name in
      center.post(name: Notification.Name("com.apple.screen\(name)"), object: nil)
      return bus.phase
    }
    #expect(phases == [.background, .background, .background, .active])
  }

  @Test("A return is posted with its time away, which a row of a table makes an event again")
  func postedReturn() throws {
    var table = NotificationTable()
    table.add("appDidReturn", for: "AppDidReturn") { notification in
      ["timeAway": "\(notification.userInfo?["timeAway"] ?? "")"]
    }
    try lifecycle.bus.connect(.notificationCenter(center, table: table), in: scope)
    postReturns(of: lifecycle.bus, to: center, in: scope)
    var times: [String?] = []
    lifecycle.bus.addObserver(for: ["appDidReturn"], in: scope) {
      times.append($0.metadata["timeAway"])
    }
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    #expect(times == ["90.0"])
  }
}

@Suite("Recipe: a fetch in a test")
@MainActor
struct FetchRecipeTests {
  @Test("A test awaits a fetch, and nothing has to move the clock")
  func awaited() async {
    let (bus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope("inbox"))
    let fetches = BackgroundFetchCoordinator(of: bus)
    fetches.addHandler(named: "inbox", in: scope) { @MainActor in .newData }
    let report = await fetches.performFetch()
    #expect(report.result == .newData)
    scope.end()
  }
}

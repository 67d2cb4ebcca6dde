import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import ReactiveLifecycle

/// A logger of OpenTelemetry, as far as lifecycles need it.
protocol EventLogger {
  func emit(_ event: String, at instant: LifecycleInstant, _ attributes: [String: String])
}

@MainActor
final class Telemetry {
  private let scope = LifecycleScope("telemetry")

  init(of bus: LifecycleBus, in journal: LifecycleJournal, to logger: any EventLogger) {
    let sessions = LifecycleSessions(of: bus, in: journal, timeout: .seconds(1800))
    sessions.changes.sink { change in
      switch change {
      case .began(let session): logger.emit("session.start", at: session.startedAt, session.ids)
      case .ended(let session): logger.emit("session.end", at: session.leftAt!, session.ids)
      }
    }
    .store(in: scope)
    let states: [LifecycleEvent.Kind: String] = [
      .willEnterForeground: "foreground", .didBecomeActive: "active", .willTerminate: "terminate",
      .willResignActive: "inactive", .didEnterBackground: "background",
    ]
    bus.addObserver(for: .transitions, in: scope) { event in
      guard let state = states[event.kind] else { return }
      let attributes = (sessions.current?.ids ?? [:]).merging(["ios.app.state": state]) { $1 }
      logger.emit("device.app.lifecycle", at: event.instant, attributes)
    }
  }
}

extension LifecycleSession {
  var ids: [String: String] {
    ["session.id": id, "session.previous_id": previousID].compactMapValues(\.self)
  }
}

@MainActor
final class TimeInApp {
  private struct Day: Codable {
    var start: Date
    var time = Duration.zero
  }

  private let clock: any LifecycleClock
  private let calendar: Calendar
  private let sessions: LifecycleSessions
  private let scope = LifecycleScope("time in the app")
  /// The day of the last session that has ended.
  private var day: Day?

  init(of bus: LifecycleBus, in journal: LifecycleJournal, calendar: Calendar = .current) {
    (clock, self.calendar) = (bus.clock, calendar)
    day = try? journal.value(forKey: "day")
    sessions = LifecycleSessions(of: bus, in: journal)
    sessions.changes.sink { [weak self] change in
      guard let self, case .ended(let session) = change else { return }
      let start = startOfDay(session.startedAt)
      if day?.start != start { day = Day(start: start) }
      day?.time += session.timeInForeground
      try? journal.set(day, forKey: "day")
    }
    .store(in: scope)
  }

  /// The time in the app, by the sessions that began today.
  var today: Duration {
    let start = startOfDay(clock.now)
    let ended = day?.start == start ? day?.time : nil
    let session = sessions.current.flatMap { startOfDay($0.startedAt) == start ? $0 : nil }
    return (ended ?? .zero) + (session?.timeInForeground ?? .zero)
  }

  private func startOfDay(_ instant: LifecycleInstant) -> Date {
    calendar.startOfDay(for: instant.date)
  }
}

extension LifecycleEvent.Kind {
  nonisolated static let notificationWasTapped: Self = "notificationWasTapped"
}

@MainActor
final class TapRouter {
  private let scope = LifecycleScope("taps")

  init(of bus: LifecycleBus, open: @escaping (_ thread: String) -> Void) {
    bus.publisher(for: [.notificationWasTapped])
      .gate(.active, of: bus, buffering: .latest)
      .sink { tap in open(tap.metadata["thread"] ?? "") }
      .store(in: scope)
  }
}

@MainActor
final class AppLock {
  private(set) var isLocked = true
  private(set) var isCovered = true
  private var attempt: Task<Void, Never>?
  private let authenticate: () async -> Bool

  init(
    of bus: LifecycleBus = .application,
    after grace: Duration = .seconds(60),
    authenticate: @escaping () async -> Bool
  ) {
    self.authenticate = authenticate
    bus.onOpen(self, after: grace) { lock, _ in lock.close() }
    bus.onOpen(self, at: .active) { lock, _ in lock.ask() }
    let kinds: LifecycleEvent.Kinds = [.didBecomeActive, .willResignActive, .didEnterBackground]
    bus.addObserver(self, for: kinds, catchUp: .currentPhase) { lock, event in
      lock.isCovered = !event.phase.isActive && (lock.attempt == nil || event.phase.isBackground)
    }
  }

  func close() {
    isLocked = true
    attempt?.cancel()
    attempt = nil
  }

  func ask() {
    guard isLocked, attempt == nil else { return }
    attempt = Task {
      let isOwner = await authenticate()
      if Task.isCancelled { return }
      isLocked = !isOwner
      attempt = nil
    }
  }
}

extension NotificationTable {
  /// Apple documents none of these names.
  nonisolated static var macScreenLock: Self {
    var table = Self()
    table.addCeiling(from: "com.apple.screenIsLocked", until: "com.apple.screenIsUnlocked")
    table.addCeiling(
      from: "com.apple.screensaver.didstart",
      until: "com.apple.screensaver.didstop",
      "com.apple.screenIsUnlocked"
    )
    return table
  }
}

@MainActor
func postReturns(
  of bus: LifecycleBus,
  to center: NotificationCenter = .default,
  in scope: LifecycleScope
) {
  bus.onReturn(in: scope) { stay in
    let info = ["timeAway": stay.timeAway / .seconds(1)]
    center.post(name: Notification.Name("AppDidReturn"), object: nil, userInfo: info)
  }
}

/// Announces the end of a countdown to whoever needs a date.
@MainActor
final class EndDate {
  /// The announced date; nil before the first announcement.
  private var announced: Date??
  private let scope = LifecycleScope("end date")

  init(
    of countdown: Countdown,
    now: @escaping () -> Date = { Date() },
    announce: @escaping (Date?) -> Void
  ) {
    countdown.states.sink { [weak self] state in
      let time = countdown.remaining / .seconds(1)
      let date = state.status == .running ? now().addingTimeInterval(time) : nil
      guard let self, isNew(date) else { return }
      announced = .some(date)
      announce(date)
    }
    .store(in: scope)
  }

  private func isNew(_ date: Date?) -> Bool {
    guard let former = announced else { return true }
    guard let date, let former else { return date != former }
    return abs(date.timeIntervalSince(former)) > 1
  }
}

extension LifecycleEvent.Kind {
  nonisolated static let powerModeDidChange: Self = "powerModeDidChange"
  nonisolated static let thermalStateDidChange: Self = "thermalStateDidChange"
  nonisolated static let refreshStatusDidChange: Self = "refreshStatusDidChange"
}

@MainActor
final class PhotoUpload {
  private(set) var isPaused = false

  init(of bus: LifecycleBus, hasLittlePower: @escaping () -> Bool) {
    bus.addObserver(self, for: [.powerModeDidChange, .thermalStateDidChange]) { upload, _ in
      upload.isPaused = hasLittlePower()
    }
  }
}

import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import ReactiveLifecycle

@MainActor
final class Sessions {
  private struct Saved: Codable {
    var number: Int
    var timeout: Countdown.SavedState
  }

  private(set) var number: Int
  /// Runs while the user is away. When it has finished, the session is over.
  private let timeout: Countdown
  private let journal: LifecycleJournal

  init(of bus: LifecycleBus, in journal: LifecycleJournal) throws {
    self.journal = journal
    let saved = try journal.value(Saved.self, forKey: "session")
    number = saved?.number ?? 0
    timeout =
      saved.map { Countdown(restoring: $0.timeout, of: bus) } ?? Countdown(.seconds(30), of: bus)
    if number > 0, timeout.state.status == .idle {  // The last run was killed during a visit.
      timeout.start()
      timeout.extend(by: .zero - (journal.previousRun.timeAway ?? .seconds(30)))
      save()
    }
    bus.addObserver(self, for: .willEnterForeground, catchUp: .path) { sessions, _ in
      sessions.continueOrBegin()
    }
    bus.addObserver(self, for: .didEnterBackground) { sessions, _ in
      sessions.timeout.restart()
      sessions.save()
    }
  }

  private func continueOrBegin() {
    if number == 0 || timeout.state.status == .finished { number += 1 }
    timeout.reset()
    save()
  }

  private func save() {
    try? journal.set(Saved(number: number, timeout: timeout.savedState), forKey: "session")
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

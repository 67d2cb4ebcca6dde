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
      .gate(.atLeast(.active), of: bus, buffering: .latest)
      .sink { tap in open(tap.metadata["thread"] ?? "") }
      .store(in: scope)
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

import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle

@MainActor
final class RentalScreen {
  private let rental: Countdown
  private let scope = LifecycleScope("rental")

  init(of bus: LifecycleBus, show: @escaping (Duration) -> Void) {
    rental = Countdown(.seconds(300), of: bus)
    rental.states.sink { state in show(state.remaining) }.store(in: scope)
    rental.start()  // 300, 299, …
  }
}

@MainActor
private func countdownSamples(
  _ rental: inout Countdown,
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  date: Date,
  show: (Duration) -> Void,
  notify: @escaping () -> Void
) async throws {
  rental.ends.sink { _ in notify() }.store(in: scope)
  let work = rental
  let rest = Countdown(.seconds(300), of: bus)
  work.ends.sink { end in
    if let instant = end.endedAt { rest.restart(at: instant) }
  }
  .store(in: scope)
  do {
    let sale = Countdown(.zero, of: bus)
    sale.start(until: date)
  }
  for await state in rental.states.asyncSequence() {
    show(state.remaining)
    if state.status == .finished { break }
  }
  let stored = try JSONEncoder().encode(rental.savedState)
  // In the next process:
  let saved = try JSONDecoder().decode(Countdown.SavedState.self, from: stored)
  rental = Countdown(restoring: saved, of: bus)
  let journal = try LifecycleJournal(at: "state", of: bus)
  rental = Countdown(
    restoring: saved,
    of: bus,
    inBackground: .pause,
    lastSignOfLife: journal.previousSignOfLife
  )
}

@MainActor
final class StoredRental {
  let countdown: Countdown
  private let journal: LifecycleJournal
  private let scope = LifecycleScope("rental")

  init(
    _ duration: Duration,
    inBackground behavior: Countdown.BackgroundBehavior = .catchUp,
    of bus: LifecycleBus,
    in journal: LifecycleJournal,
    notify: @escaping () -> Void
  ) throws {
    self.journal = journal
    let saved = try journal.value(Countdown.SavedState.self, forKey: "rental")
    countdown =
      saved.map {
        Countdown(
          restoring: $0,
          of: bus,
          inBackground: behavior,
          lastSignOfLife: journal.previousSignOfLife
        )
      } ?? Countdown(duration, of: bus, inBackground: behavior)
    countdown.start()
    try journal.set(countdown.savedState, forKey: "rental")
    journal.saveValue(forKey: "rental", in: scope) { [countdown] in countdown.savedState }
    bus.addObserver(for: .willEnterForeground, in: scope) { [weak self] _ in self?.store() }
    countdown.ends.sink { [weak self] _ in
      notify()
      self?.store()
    }
    .store(in: scope)
  }

  func extend(by duration: Duration) {
    countdown.extend(by: duration)
    store()
  }

  private func store() { try? journal.set(countdown.savedState, forKey: "rental") }
}

private struct Deadline: Codable {
  var seconds: Int
}

@MainActor private final class Draft {
  var text = ""
}

@MainActor
private func journalSamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  path: String,
  draft: Draft,
  deadline: Deadline,
  limit: Duration,
  offerReport: () -> Void
) throws {
  do {
    let journal: LifecycleJournal
    journal = try LifecycleJournal(at: path, of: bus, heartbeat: .seconds(30))
    let previous = journal.previousRun
    print("The last run: \(previous.exit), \(previous.timeAway ?? .zero) ago")
    withExtendedLifetime(journal) {}
  }
  let journal: LifecycleJournal
  journal = try LifecycleJournal(at: path, of: bus)
  if journal.previousRun.exit == .killedInForeground { offerReport() }
  do {
    let previous = journal.previousRun
    let isLocked = !previous.isClockTrusted || previous.timeAway ?? limit >= limit
    _ = isLocked
  }
  do {
    try journal.set(deadline, forKey: "deadline")
    let deadline = try journal.value(Deadline.self, forKey: "deadline")
    _ = deadline
  }
  draft.text = try journal.value(forKey: "draft") ?? ""
  journal.saveValue(forKey: "draft", in: scope) { draft.text }
  journal.end()
}

@MainActor
func openJournal(at path: String, of bus: LifecycleBus) async throws -> LifecycleJournal {
  do {
    return try LifecycleJournal(at: path, of: bus)
  } catch LifecycleJournal.OpenError.protectedDataUnavailable {
    try await bus.waitForProtectedData()
  }
  return try LifecycleJournal(at: path, of: bus)
}

@MainActor
private func sessionSamples(_ bus: LifecycleBus, in scope: LifecycleScope, _ path: String) throws {
  let sessions: LifecycleSessions
  let journal = try LifecycleJournal(at: path, of: bus, heartbeat: .seconds(300))
  sessions = LifecycleSessions(of: bus, in: journal, timeout: .seconds(30))
  sessions.changes.sink { change in
    switch change {
    case .began(let session): print("Session \(session.number) begins")
    case .ended(let session): print("It lasted \(session.timeInForeground)")
    }
  }
  .store(in: scope)
}

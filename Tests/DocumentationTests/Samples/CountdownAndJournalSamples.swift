import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle

@MainActor
func rentalSample(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  show: @escaping (Duration) -> Void
) -> Countdown {
  let rental = Countdown(.seconds(300), of: bus)
  rental.states.sink { state in show(state.remaining) }.store(in: scope)
  rental.start()  // 300, 299, …
  return rental
}

@MainActor
private func countdownSamples(
  _ rental: Countdown,
  _ bus: LifecycleBus,
  path: String,
  show: (Duration) -> Void
) async throws {
  for await state in rental.states.asyncSequence() {
    show(state.remaining)
    if state.status == .finished { break }
  }
  do {
    let stored = try JSONEncoder().encode(rental.record)
    // In the next process:
    let record = try JSONDecoder().decode(Countdown.Record.self, from: stored)
    let restored = Countdown(restoring: record, of: bus)
    _ = restored
  }
  let journal = try LifecycleJournal(at: path, of: bus)
  let record = try journal.value(Countdown.Record.self, forKey: "rental")
  let rental = record.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(300), of: bus)
  rental.start()
  try journal.set(rental.record, forKey: "rental")
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
    let journal = try LifecycleJournal(at: path, of: bus, heartbeat: .seconds(30))
    let previous = journal.previousRun
    print("The last run: \(previous.exit), \(previous.timeAway ?? .zero) ago")
  }
  let journal = try LifecycleJournal(at: path, of: bus)
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
  journal.saveValue(forKey: "draft", of: bus, in: scope) { draft.text }
  journal.end()
}

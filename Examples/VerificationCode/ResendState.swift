import Foundation
import LifecycleCountdowns
import LifecycleJournaling
import ReactiveLifecycle

/// The state file, which records how the last run ended, and the countdown.
@MainActor
final class ResendState {
  private static let key = "resend"

  /// The countdown that was stored last.
  let saved: Countdown.SavedState?

  private let journal: LifecycleJournal
  private let failures: FirstFailure

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - bus: The bus whose events are recorded.
  ///   - diagnose: Called if the file is damaged or its countdown can't be read, and once if
  ///     recording fails.
  init(
    at path: String,
    on bus: LifecycleBus,
    diagnose: @escaping @Sendable (String) -> Void
  ) throws(LifecycleJournal.OpenError) {
    let failures = FirstFailure(diagnose)
    journal = try LifecycleJournal(at: path, of: bus, heartbeat: .seconds(1)) { @Sendable in
      failures.report($0)
    }
    self.failures = failures
    if let damage = journal.previousRun.damage { diagnose(damage.description) }
    do {
      saved = try journal.value(forKey: Self.key)
    } catch {
      saved = nil
      diagnose("The countdown in \(path) can't be read, so a new one was started: \(error)")
    }
  }

  var previousRun: LifecycleJournal.PreviousRun { journal.previousRun }

  func store(_ saved: Countdown.SavedState) {
    do throws(LifecycleJournal.WriteError) {
      try journal.set(saved, forKey: Self.key)
    } catch {
      failures.report(error)
    }
  }

  func end() { journal.end() }
}

/// A filter that reports the first failure to write, and ignores those that follow every second.
///
/// `@unchecked Sendable`: the lock guards the flag.
private nonisolated final class FirstFailure: @unchecked Sendable {
  private let diagnose: @Sendable (String) -> Void
  private let lock = NSLock()
  private var hasReported = false

  init(_ diagnose: @escaping @Sendable (String) -> Void) {
    self.diagnose = diagnose
  }

  /// Reports a failure if it is the first one. Thread-safe.
  func report(_ failure: LifecycleJournal.WriteError) {
    let isFirst = lock.withLock {
      defer { hasReported = true }
      return !hasReported
    }
    if isFirst { diagnose(failure.description) }
  }
}

import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import TestSupport

@testable import LifecycleBackgroundWork
@testable import ReactiveLifecycle

extension StoredForm {
  /// The public types that can be stored.
  static let all = phases + instants + settings + background

  private static let phases = [
    StoredForm(LifecyclePhase.self),
    StoredForm(LifecyclePhase.Condition.self) { condition in
      let kinds = condition.transitions.listed ?? []
      let isMet = kinds.allSatisfy { $0.targetPhase.map(condition.contains) == true }
      return isMet ? nil : "\(condition) by \(kinds)"
    },
    StoredForm(LifecycleEvent.self),
    StoredForm(LifecycleEvent.Kind.self),
    StoredForm(LifecycleEvent.Origin.self),
    StoredForm(LifecycleParticipant.self),
    StoredForm(LifecycleSourceName.self),
    StoredForm(SuppressedInput.self),
    StoredForm(SuppressedInput.Reason.self),
    StoredForm(LifecycleStep.self) { step in
      // An impossible step is reported.
      waitForMainActor {
        _ = reportedIssues {
          let lifecycle = ScriptedLifecycle()
          lifecycle.perform(.launch, .becomeActive)
          lifecycle.perform(step)
          lifecycle.perform(.advance(by: .seconds(1)))
          _ = lifecycle.transcript.description
        }
      }
      return nil
    },
  ]

  private static let instants = [
    StoredForm(BootID.self),
    StoredForm(ContinuousInstant.self) { instant in
      let moved = [instant + .seconds(Int64.max), instant - .seconds(Int64.max), .boot]
      return moved.allSatisfy { $0 - instant == .zero - (instant - $0) } ? nil : "\(moved)"
    },
    StoredForm(LifecycleInstant.self) { instant in
      let later = instant.advanced(by: .seconds(Int64.max))
      let stay = BackgroundStay(from: instant, to: later)
      return .zero <= stay.timeAsleep && stay.timeAsleep <= stay.duration ? nil : "\(stay)"
    },
    StoredForm(BackgroundStay.self),
    StoredForm(Countdown.Record.self),
    StoredForm(Countdown.Record.Deadline.self),
    StoredForm(Countdown.State.self),
  ]

  private static let settings = [
    StoredForm(Countdown.BackgroundBehavior.self),
    StoredForm(Countdown.Status.self),
    StoredForm(LifecycleJournal.PreviousExit.self),
    StoredForm(LifecycleGateBuffering.self) { buffering in
      let excess = buffering.excess(of: 3)
      return excess.lowerBound >= 0 && excess.upperBound <= 3 ? nil : "excess of \(excess)"
    },
    StoredForm(LifecycleGateBuffering.WhenFull.self),
  ]

  private static let background = [
    StoredForm(BackgroundFetchInterval.self) { interval in
      interval.duration.map { $0 >= .zero } ?? true ? nil : "\(interval)"
    },
    StoredForm(BackgroundFetchRecord.self) { record in
      let now = ManualClock().now
      let ages = [record.bootID, nil, "other"].map { record.age(at: now, bootID: $0) }
      return ages.allSatisfy { $0 >= .zero } ? nil : "ages \(ages)"
    },
    StoredForm(BackgroundFetchResult.self),
    StoredForm(DutyCycle.self) { cycle in
      let rest = DutyCycle.Rest.granted(of: cycle.rest, remaining: .seconds(10))
      return (.zero...cycle.rest).contains(rest) ? nil : "a rest of \(rest)"
    },
    StoredForm(DutyCycle.Delivery.self),
  ]
}

import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import TestSupport

@testable import LifecycleBackgroundWork
@testable import LifecycleCore

extension StoredForm {
  /// The public types that can be stored.
  static let all = phases + instants + settings + background

  private static let phases = [
    StoredForm(LifecyclePhase.self),
    StoredForm(LifecycleEvent.self),
    StoredForm(LifecycleEvent.Kind.self),
    StoredForm(LifecycleEvent.Origin.self),
    StoredForm(LifecycleParticipant.self),
    StoredForm(LifecycleSourceName.self),
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
      return .zero <= stay.timeAsleep && stay.timeAsleep <= stay.timeAway ? nil : "\(stay)"
    },
    StoredForm(BackgroundStay.self),
    StoredForm(Countdown.SavedState.self),
    StoredForm(Countdown.SavedState.Deadline.self),
    StoredForm(Countdown.State.self),
  ]

  private static let settings = [
    StoredForm(Countdown.BackgroundBehavior.self),
    StoredForm(Countdown.Status.self),
    StoredForm(LifecycleJournal.PreviousExit.self),
  ]

  private static let background = [
    StoredForm(BackgroundFetchResult.self)
  ]
}

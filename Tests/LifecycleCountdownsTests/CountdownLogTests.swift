import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleCountdowns

@Suite("Countdowns as activities")
struct CountdownLogTests {
  /// Every sequence of four changes of status: an activity begins before anything else, ends once,
  /// and pauses and resumes in turn.
  @Test("Every sequence of changes makes whole activities")
  func everySequence() {
    let countdown = Canary()
    var sequences = 0
    func explore(
      _ status: Countdown.Status,
      _ log: CountdownLog,
      _ lines: [BusActivity],
      _ depth: Int
    ) {
      expectWhole(lines)
      sequences += 1
      guard depth > 0 else { return }
      for next in Countdown.Status.allCases {
        for starts in [false, true] {
          // Without a start, an idle countdown stays so, and so does one that has finished.
          guard starts || status == .running || status == .paused else { continue }
          var log = log
          var lastID = lines.map(\.id).max() ?? 0
          let change = CountdownLog.Change(
            countdown: ObjectIdentifier(countdown),
            from: status,
            to: next,
            starts: starts
          )
          let activities = log.activities(for: change) {
            lastID += 1
            return lastID
          }
          explore(next, log, lines + activities, depth - 1)
        }
      }
    }
    explore(.idle, CountdownLog(), [], 4)
    #expect(sequences > 500)
    withExtendedLifetime(countdown) {}
  }

  private func expectWhole(_ activities: [BusActivity]) {
    var open: (id: Int, isPaused: Bool)?
    var last = 0
    for activity in activities {
      switch activity.change {
      case .began:
        #expect(open == nil && activity.id == last + 1)
        last = activity.id
        open = (activity.id, false)
      case .paused:
        #expect(open?.id == activity.id && open?.isPaused == false)
        open?.isPaused = true
      case .resumed:
        #expect(open?.id == activity.id && open?.isPaused == true)
        open?.isPaused = false
      case .ended:
        expectNoDifference(open?.id, activity.id)
        open = nil
      }
    }
  }
}

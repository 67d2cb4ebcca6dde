import CustomDump
import LifecycleCore
import TestSupport
import Testing

@Suite("Instants")
struct InstantTests {
  private let limit = Duration.seconds(Int64.max)

  private func at(_ seconds: Double) -> ContinuousInstant { .boot + .seconds(seconds) }

  @Test("Instants and durations are added and subtracted")
  func instantsAndDurationsAdd() {
    expectNoDifference(ContinuousInstant.boot.timeSinceBoot, .zero)
    expectNoDifference(at(2), ContinuousInstant(timeSinceBoot: .seconds(2)))
    expectNoDifference(at(2) + .seconds(3), at(5))
    expectNoDifference(at(2) - .seconds(3), at(-1))
    expectNoDifference(at(2).advanced(by: .seconds(-3)), at(-1))
    expectNoDifference(at(5) - at(2), .seconds(3))
    expectNoDifference(at(2) - at(5), .seconds(-3))
    expectNoDifference(at(2).duration(to: at(5)), .seconds(3))
    expectNoDifference(at(5).duration(to: at(2)), .seconds(-3))
    var instant = at(2)
    instant += .milliseconds(500)
    expectNoDifference(instant, at(2.5))
    instant -= .seconds(3)
    expectNoDifference(instant, at(-0.5))
  }

  @Test("Sums of instants are clamped to 2⁶³ s around the boot")
  func sumsAndDifferencesAreClamped() {
    let (longest, shortest) = (Duration.longest, Duration.shortest)
    let (first, last) = (at(0) - limit, at(0) + limit)
    expectNoDifference(last.timeSinceBoot, limit)
    expectNoDifference(first.timeSinceBoot, .zero - limit)
    expectNoDifference(at(1) + longest, last)
    expectNoDifference(at(-1) + shortest, first)
    expectNoDifference(at(-1) - longest, first)
    expectNoDifference(at(1) - shortest, last)
    expectNoDifference(last + .seconds(1), last)
    expectNoDifference(first - .seconds(1), first)
    expectNoDifference(last - .seconds(1) + .seconds(1), last)
    expectNoDifference(last - first, limit + limit)
    expectNoDifference(first - last, .zero - limit - limit)
    // What was decoded may be further away than any clock shows.
    let (before, after) = (
      ContinuousInstant(timeSinceBoot: shortest), ContinuousInstant(timeSinceBoot: longest)
    )
    expectNoDifference(after - before, limit + limit)
    expectNoDifference(before + .zero, first)
    expectNoDifference(after - .zero, last)
  }

  // MARK: Instants on three clocks

  @Test("An instant moves on all clocks, and is compared by the continuous one first")
  func instantMovesOnAllThreeClocks() {
    func instant(_ continuous: Int, _ timeAwake: Int, _ wall: Int) -> LifecycleInstant {
      LifecycleInstant(
        continuous: .boot + .seconds(continuous),
        timeAwake: .seconds(timeAwake),
        timeSince1970: .seconds(wall)
      )
    }
    expectNoDifference(instant(1, 2, 3).advanced(by: .seconds(5)), instant(6, 7, 8))
    expectNoDifference(instant(1, 2, 3).advanced(by: .seconds(-5)), instant(-4, -3, -2))
    expectNoDifference(instant(1, 2, 3).duration(to: instant(5, 0, 0)), .seconds(4))
    expectNoDifference(instant(5, 0, 0).duration(to: instant(1, 2, 3)), .seconds(-4))
    let ascending = [
      instant(1, 1, 1), instant(1, 1, 2), instant(1, 2, 0), instant(1, 2, 1), instant(2, 0, 0),
    ]
    for (i, lhs) in ascending.enumerated() {
      for (j, rhs) in ascending.enumerated() {
        expectNoDifference(lhs < rhs, i < j)
        expectNoDifference(lhs == rhs, i == j)
      }
    }
  }
}

import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Arithmetic of instants")
struct LifecycleInstantTests {
  @Test("An instant moves on all three clocks, and is compared on the continuous one first")
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

  @Test("No instant and no difference overflows")
  func nothingOverflows() {
    let ends = [Duration(attoseconds: .min), .zero, Duration(attoseconds: .max)]
    let limit = Duration.seconds(Int64.max)
    for reading in ends {
      let instant = LifecycleInstant(everyClock: reading)
      for other in ends {
        let moved = instant.advanced(by: other)
        #expect(moved.readings.allSatisfy((.zero - limit...limit).contains))
        let duration = instant.duration(to: LifecycleInstant(everyClock: other))
        #expect((.zero - limit - limit...limit + limit).contains(duration))
      }
    }
  }
}

import CustomDump
import Foundation
import Testing

@testable import LifecycleTimelines

@Suite("Times for people")
struct TimeTextTests {
  @Test(
    "A duration has its two greatest units",
    arguments: [
      (0, "0 µs"), (0.000_25, "250 µs"), (0.001_5, "1.5 ms"), (0.04, "40 ms"), (0.999_9, "1 s"),
      (2.5, "2.5 s"), (9.999, "10 s"), (59.97, "1 min"), (90, "1 min 30 s"), (3_599.6, "1 h"),
      (5_400, "1 h 30 min"), (86_370, "1 d"), (194_400, "2 d 6 h"), (-90, "-1 min 30 s"),
      (.infinity, "11574074 d 2 h"),
    ]
  )
  func duration(_ seconds: Double, _ expected: String) {
    expectNoDifference(TimeText.duration(seconds), expected)
  }

  @Test(
    "A time on the axis has milliseconds",
    arguments: [
      (12.345, "+12.345 s"), (90.25, "+00:01:30.250"), (206_785.738, "+2 d 09:26:25.738"),
      (59.999_9, "+00:01:00.000"),
    ]
  )
  func position(_ seconds: Double, _ expected: String) {
    expectNoDifference(TimeText.position(seconds), expected)
  }

  @Test("A date is in UTC; a clock that was never set has none")
  func dates() {
    expectNoDifference(TimeText.wall(1_768_469_200.9), "2026-01-15 09:26:40")
    expectNoDifference(TimeText.date(.seconds(1_000)), nil)
    expectNoDifference(TimeText.date(.seconds(Int64.max)), nil)
    expectNoDifference(TimeText.date(.seconds(1_768_469_200)), 1_768_469_200)
  }

  @Test("Ticks have readable distances, and no more than there is room for")
  func ticks() {
    let readable: Set<Double> = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
      86_400,
    ]
    var length = 1e-6
    while length < TimeAxis.longest {
      for count in [1, 3, 7, 20] {
        let axis = TimeAxis(from: 0, to: length, count: count)
        #expect(axis.ticks.count <= count + 1)
        expectNoDifference(axis.ticks.first, 0)
        if axis.step >= 1, axis.step < 86_400 { #expect(readable.contains(axis.step)) }
        if axis.step > 86_400 {
          let digits = String(Int((axis.step / 86_400).rounded()))
          #expect(["1", "2", "5"].contains(digits.prefix(1)))
          #expect(digits.dropFirst().allSatisfy { $0 == "0" })
        }
      }
      length *= 1.7
    }
    expectNoDifference(TimeAxis(from: 0, to: 100, count: 4).ticks, [0, 30, 60, 90])
  }
}

import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@Suite("Instants of the continuous clock")
struct ContinuousInstantTests {
  private let limit = Duration.seconds(Int64.max)

  private func at(_ seconds: Double) -> ContinuousInstant { .boot + .seconds(seconds) }

  @Test("A duration moves an instant, and two instants make a duration")
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

  @Test("The earlier instant is the lesser one")
  func earlierInstantIsLesser() {
    let ascending = [
      ContinuousInstant(timeSinceBoot: Duration(attoseconds: .min)), at(-1), .boot,
      .boot + Duration(attoseconds: 1), at(1),
      ContinuousInstant(timeSinceBoot: Duration(attoseconds: .max)),
    ]
    for (i, lhs) in ascending.enumerated() {
      for (j, rhs) in ascending.enumerated() {
        expectNoDifference(lhs < rhs, i < j)
        expectNoDifference(lhs == rhs, i == j)
      }
    }
    expectNoDifference(Set(ascending + ascending).count, ascending.count)
  }

  @Test("A sum stops at 2⁶³ s before and after the boot, and a difference at twice that")
  func sumsAndDifferencesAreClamped() {
    let longest = Duration(attoseconds: .max)
    let shortest = Duration(attoseconds: .min)
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

  @Test(
    "It is encoded as a duration is, so that what was stored as one remains readable",
    arguments: [
      Duration.zero, .seconds(3600), .milliseconds(-1), Duration(attoseconds: .max),
      Duration(attoseconds: .min),
    ]
  )
  func instantIsEncodedAsDuration(_ time: Duration) throws {
    let instant = ContinuousInstant(timeSinceBoot: time)
    let stored = try JSONEncoder().encode(["continuous": time])
    expectNoDifference(
      try JSONDecoder().decode([String: ContinuousInstant].self, from: stored),
      ["continuous": instant]
    )
    expectNoDifference(try JSONEncoder().encode(["continuous": instant]), stored)
  }

  @Test("An instant on three clocks is stored under the names of the clocks, as it always was")
  func codingOfThreeClocks() throws {
    let text = """
      {"continuous":[0,1000000000000000000],"suspending":[0,0],"wall":[0,7]}
      """
    let instant = try JSONDecoder().decode(LifecycleInstant.self, from: Data(text.utf8))
    expectNoDifference(
      instant,
      LifecycleInstant(
        continuous: at(1),
        timeAwake: .zero,
        timeSince1970: Duration(attoseconds: 7)
      )
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    expectNoDifference(String(decoding: try encoder.encode(instant), as: UTF8.self), text)
  }

  @Test("It is described and dumped in seconds, exactly")
  func instantIsDescribedAndDumpedInSeconds() {
    expectNoDifference("\(at(90.25))", "90.25 s")
    expectNoDifference("\(at(-3))", "-3 s")
    expectNoDifference(
      "\(ContinuousInstant(timeSinceBoot: Duration(attoseconds: .max)))",
      "170141183460469231731.687303715884105727 s"
    )
    var text = ""
    dump(["start": at(90.25)], to: &text)
    expectNoDifference(
      text,
      """
      ▿ 1 key/value pair
        ▿ (2 elements)
          - key: "start"
          - value: 90.25 s

      """
    )
    expectNoDifference(String(customDumping: [at(90.25)]), "[\n  [0]: 90.25 s\n]")
  }
}

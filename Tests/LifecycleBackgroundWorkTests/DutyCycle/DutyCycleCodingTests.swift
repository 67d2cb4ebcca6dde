import CustomDump
import Foundation
import LifecycleBackgroundWork
import Testing

@Suite("Duty cycle: coding")
struct DutyCycleCodingTests {
  /// What an encoded cycle has, with any values.
  private struct Encoded: Encodable {
    var burst = 1
    var delivery = DutyCycle.Delivery.last
    var rest = Duration.seconds(1)
  }

  private func decoded(_ value: some Encodable) throws -> DutyCycle {
    try JSONDecoder().decode(DutyCycle.self, from: try JSONEncoder().encode(value))
  }

  @Test("An encoded cycle is decoded again", arguments: DutyCycle.Delivery.allCases)
  func roundTrip(_ delivery: DutyCycle.Delivery) throws {
    let cycle = DutyCycle(burst: 7, delivering: delivery, rest: .milliseconds(1_500))
    expectNoDifference(try decoded(cycle), cycle)
    let least = Encoded(burst: 1, delivery: delivery, rest: .zero)
    expectNoDifference(
      try decoded(least),
      DutyCycle(burst: 1, delivering: delivery, rest: .zero)
    )
  }

  @Test("A burst of less than 1, and a rest of less than zero, are refused")
  func valuesOutOfRange() {
    for (value, key) in [
      (Encoded(burst: 0), "burst"), (Encoded(burst: -1), "burst"),
      (Encoded(rest: .nanoseconds(-1)), "rest"),
    ] {
      do {
        Issue.record("\(try decoded(value)) was decoded")
      } catch DecodingError.dataCorrupted(let context) {
        expectNoDifference(context.codingPath.map(\.stringValue), [key])
      } catch {
        Issue.record(error)
      }
    }
  }
}

import LifecycleTesting
import Testing

@testable import BikeRental

@Suite("Reservation")
@MainActor
struct ReservationTests {
  @Test("The reservation continues while the user is away")
  func away() {
    let lifecycle = ScriptedLifecycle()
    let reservation = Reservation(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(10)))
    #expect(reservation.remaining == 290)

    let absence = LifecycleStep.background(for: .seconds(90), deviceAsleep: .seconds(60))
    lifecycle.expect(reservation, after: absence) {
      $0.remaining = 200
      $0.refreshes = 2
    }
  }
}

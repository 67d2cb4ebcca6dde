import LifecycleTesting
import Testing

@testable import BikeRental

@Suite("Reservation")
@MainActor
struct ReservationTests {
  @Test("The reservation continues while the user is away")
  func away() {
    let lifecycle = ScriptedLifecycle()
    _ = Reservation(on: lifecycle.bus)
  }
}

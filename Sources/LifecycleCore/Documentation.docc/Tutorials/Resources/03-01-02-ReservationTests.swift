import LifecycleTesting
import Testing

@testable import BikeRental

@Suite("Reservation")
@MainActor
struct ReservationTests {
}

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

  @Test("The reservation ends in the background")
  func over() {
    let lifecycle = ScriptedLifecycle()
    let reservation = Reservation(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(reservation, after: .background(for: .seconds(400))) {
      $0.remaining = 0
      $0.isOver = true
    }
  }

  @Test("Setting the clock has no effect")
  func clock() {
    let lifecycle = ScriptedLifecycle()
    let reservation = Reservation(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive, .setWallClock(by: .seconds(3600)))
    lifecycle.expect(reservation, after: .background(for: .seconds(10))) {
      $0.remaining = 290
    }
  }

  @Test("A reservation leaves nothing behind")
  func leaks() {
    let lifecycle = ScriptedLifecycle()
    var reservation: Reservation? = Reservation(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    expectReleased(&reservation, of: lifecycle.bus)
  }
}

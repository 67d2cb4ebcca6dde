import CustomDump
import Foundation
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of countdowns run")
@MainActor
struct CountdownSampleRuns {
  @Test("A rental counts down, and is right after the background")
  func rentalCountsDownAndIsRightAfterBackground() {
    let sample = RentalSample()
    expectNoDifference(sample.shown, [300, 300])
    sample.clock.advance(by: .seconds(2))
    sample.bus.send(.didEnterBackground)
    sample.clock.advance(by: .seconds(90))
    sample.bus.send(.didBecomeActive)
    expectNoDifference(sample.shown, [300, 300, 299, 298, 208])
  }

  @Test("A loop over the states ends with the countdown")
  func loopOverStates() async {
    let bus = LifecycleBus(clock: ManualClock())
    let rental = Countdown(.seconds(3), of: bus)
    rental.start()
    rental.extend(by: .seconds(-3))
    let shown = await followedCountdown(rental)
    expectNoDifference(shown, [.zero])
  }

  @Test("A countdown that was stored goes on")
  func storedCountdownGoesOn() throws {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let rental = Countdown(.seconds(300), of: bus)
    rental.start()
    clock.advance(by: .seconds(60))
    clock.setWallClock(by: .seconds(-3600))
    let restored = try restoredCountdown(rental, on: bus)
    clock.advance(by: .seconds(40))
    expectNoDifference(restored.state, Countdown.State(status: .running, remaining: .seconds(200)))
  }

  @Test("A countdown in a journal goes on after the process was killed")
  func countdownInAJournal() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("file")
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    do {
      let (rental, journal) = try keptRental(in: path, on: bus)
      expectNoDifference(journal.previousRun.exit, .firstLaunch)
      clock.advance(by: .seconds(60))
      expectNoDifference(rental.remaining, .seconds(240))
      // Released, it leaves the file as a process does that is killed.
      withExtendedLifetime(journal) {}
    }
    clock.advance(by: .seconds(30))
    let (rental, journal) = try keptRental(in: path, on: bus)
    expectNoDifference(journal.previousRun.exit, .killedInForeground)
    expectNoDifference(journal.previousRun.timeAway, .seconds(90))
    expectNoDifference(rental.remaining, .seconds(210))
  }
}

import CustomDump
import LifecycleTesting
import ProgramReporting
import ReactiveLifecycle
import RentalCountdown
import Testing

@Suite("Rental view model")
@MainActor
struct RentalViewModelTests {
  @Test(
    "Appear, 90 s in the background with doubled notifications, return, disappear, appear again"
  )
  func backgroundReturnAndReappearanceWithDoubledNotifications() throws {
    let screen = try RentalScreen(seconds: 300)
    screen.post("DidBecomeActive")
    screen.appear()
    screen.pass(.seconds(2))
    screen.enterBackground()
    screen.pass(.seconds(30))
    screen.sleepDevice(.seconds(60))
    screen.enterForeground()
    screen.pass(.seconds(1))
    screen.disappear()
    screen.pass(.seconds(7))
    screen.appear()
    screen.pass(.seconds(1))
    expectNoDifference(
      screen.transcript,
      [
        "post DidBecomeActive, twice",
        "  #1 didFinishLaunching, synthesized",
        "  #2 willEnterForeground, synthesized",
        "  #3 didBecomeActive, source(notificationCenter)",
        "appear",
        "  300 s remain",
        "2.0 seconds pass",
        "  299 s remain",
        "  298 s remain",
        "post WillResignActive, twice",
        "  #4 willResignActive, source(notificationCenter)",
        "post DidEnterBackground, twice",
        "  #5 didEnterBackground, source(notificationCenter)",
        "30.0 seconds pass",
        "device sleeps for 60.0 seconds",
        "post WillEnterForeground, twice",
        "  #6 willEnterForeground, source(notificationCenter)",
        "  away for 90.0 seconds, asleep for 60.0 seconds",
        "  208 s remain",
        "post DidBecomeActive, twice",
        "  #7 didBecomeActive, source(notificationCenter)",
        "1.0 seconds pass",
        "  207 s remain",
        "disappear",
        "7.0 seconds pass",
        "appear",
        "  200 s remain",
        "1.0 seconds pass",
        "  199 s remain",
      ]
    )
    expectNoDifference(screen.bus.suppressedCount(.duplicate), 5)
  }

  @Test("A screen that appears three times is called once, and leaves nothing behind")
  func threeAppearances() throws {
    let screen = try RentalScreen(seconds: 300)
    screen.post("DidBecomeActive")
    screen.appear()
    screen.disappear()
    screen.appear()
    screen.appear()
    screen.enterBackground()
    screen.pass(.seconds(10))
    _ = screen.takeTranscript()
    screen.enterForeground()
    expectNoDifference(
      screen.takeTranscript().filter { !$0.contains("#") && !$0.hasPrefix("post") },
      ["  away for 10.0 seconds, asleep for 0.0 seconds", "  290 s remain"]
    )
    screen.disappear()
    expectNoDifference(screen.liveObservers, 0)
  }

  @Test("Becoming active without a visit to the background changes nothing")
  func controlCenter() throws {
    let screen = try RentalScreen(seconds: 300)
    screen.post("DidBecomeActive")
    screen.appear()
    screen.pass(.milliseconds(1500))
    screen.post("WillResignActive")
    _ = screen.takeTranscript()
    screen.post("DidBecomeActive")
    expectNoDifference(
      screen.takeTranscript(),
      [
        "post DidBecomeActive, twice",
        "  #5 didBecomeActive, source(notificationCenter)",
      ]
    )
    screen.pass(.milliseconds(500))
    expectNoDifference(screen.takeTranscript(), ["0.5 seconds pass", "  298 s remain"])
  }

  @Test("The remaining time is rounded up, and ticks fall on its whole seconds")
  func remainingTimeIsRoundedUp() throws {
    let screen = try RentalScreen(seconds: 3)
    screen.post("DidBecomeActive")
    screen.pass(.milliseconds(250))
    _ = screen.takeTranscript()
    screen.appear()
    screen.pass(.milliseconds(749))
    screen.pass(.milliseconds(1))
    screen.pass(.milliseconds(1999))
    screen.pass(.milliseconds(1))
    screen.pass(.seconds(10))
    expectNoDifference(
      screen.takeTranscript(),
      [
        "appear",
        "  3 s remain",
        "0.749 seconds pass",
        "0.001 seconds pass",
        "  2 s remain",
        "1.999 seconds pass",
        "  1 s remain",
        "0.001 seconds pass",
        "  0 s remain",
        "  finished",
        "10.0 seconds pass",
      ]
    )
  }

  @Test("A deadline that passes in the background is reported on the return, once")
  func deadlineInBackground() throws {
    let screen = try RentalScreen(seconds: 5)
    screen.post("DidBecomeActive")
    screen.appear()
    screen.enterBackground()
    screen.pass(.seconds(60))
    screen.clock.setWallClock(by: .seconds(-3600))
    _ = screen.takeTranscript()
    screen.enterForeground()
    expectNoDifference(
      screen.takeTranscript(),
      [
        "post WillEnterForeground, twice",
        "  #6 willEnterForeground, source(notificationCenter)",
        "  away for 60.0 seconds, asleep for 0.0 seconds",
        "  0 s remain",
        "  finished",
        "post DidBecomeActive, twice",
        "  #7 didBecomeActive, source(notificationCenter)",
      ]
    )
    screen.enterBackground()
    screen.enterForeground()
    screen.disappear()
    screen.appear()
    #expect(!screen.takeTranscript().contains { $0.contains("remain") || $0.contains("finished") })
    #expect(screen.viewModel.isFinished)
    expectNoDifference(screen.viewModel.remainingSeconds, 0)
  }

  @Test("A rental that starts in the background ticks when it comes to the foreground")
  func startInBackground() throws {
    let screen = try RentalScreen(seconds: 300)
    screen.post("DidFinishLaunching")
    screen.appear()
    expectNoDifference(screen.clock.timerCount, 0)
    screen.pass(.seconds(10))
    _ = screen.takeTranscript()
    screen.post("DidBecomeActive")
    expectNoDifference(
      screen.takeTranscript(),
      [
        "post DidBecomeActive, twice",
        "  #2 willEnterForeground, synthesized",
        "  #3 didBecomeActive, source(notificationCenter)",
        "  290 s remain",
      ]
    )
  }

  @Test("A screen that is released is not called, and not kept alive")
  func releasedScreenIsNotCalled() throws {
    let bus = LifecycleBus()
    var viewModel: RentalViewModel? = RentalViewModel(seconds: 300, bus: bus)
    weak let released = viewModel
    bus.send(.didBecomeActive)
    viewModel?.appear()
    expectNoDifference(bus.liveSubscriptions.count, 3)
    viewModel = nil
    #expect(released == nil)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Each second is shown once, however irregular the calls")
  func everySecondOnce() throws {
    let screen = try RentalScreen(seconds: 100)
    screen.post("DidBecomeActive")
    var shown: [Int] = []
    screen.viewModel.onUpdate = { if case .tick(let seconds, _) = $0 { shown.append(seconds) } }
    screen.appear()
    var milliseconds = 1
    for _ in 1...1000 where !screen.viewModel.isFinished {
      screen.pass(.milliseconds(milliseconds))
      milliseconds = milliseconds * 37 % 4999
    }
    expectNoDifference(shown, Array((0...100).reversed()))
  }
}

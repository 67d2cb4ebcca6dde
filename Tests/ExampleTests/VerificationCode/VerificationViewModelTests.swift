import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing
import VerificationCode

@Suite("Resend view model")
@MainActor
struct VerificationViewModelTests {
  @Test(
    "90 s in the background of a 60 s lock: one tick on the return, finished once, never below 0"
  )
  func deadlineInBackground() {
    let screen = ResendScreen(seconds: 60)
    screen.lifecycle.perform(.advance(by: .seconds(2)), .enterBackground)
    expectNoDifference(screen.lifecycle.clock.timerCount, 0)
    screen.lifecycle.perform(.advance(by: .seconds(30)), .sleepDevice(for: .seconds(60)))
    expectNoDifference(screen.shown.takeElements(), ["60", "59", "58"])
    screen.lifecycle.perform(.enterForeground)
    expectNoDifference(screen.shown.takeElements(), ["away 90.0 seconds", "0", "finished"])
    screen.lifecycle.perform(.background(for: .seconds(5)))
    screen.viewModel.disappear()
    screen.viewModel.appear()
    expectNoDifference(screen.shown.takeElements(), ["away 5.0 seconds"])
    #expect(screen.viewModel.canResend)
    expectNoDifference(screen.viewModel.remainingSeconds, 0)
  }

  @Test("Active again without a visit to the background, as after a call: nothing changes")
  func callWithoutBackground() {
    let screen = ResendScreen(seconds: 60)
    screen.lifecycle.perform(
      .advance(by: .milliseconds(1500)),
      .resignActive,
      .advance(by: .milliseconds(700)),
      .becomeActive,
      .advance(by: .milliseconds(800))
    )
    expectNoDifference(screen.shown.elements, ["60", "59", "58", "57"])
  }

  @Test("A screen that appears again starts no second timer")
  func appearsAgain() {
    let screen = ResendScreen(seconds: 60)
    let timers = screen.lifecycle.clock.timerCount
    screen.viewModel.disappear()
    for _ in 1...3 { screen.viewModel.appear() }
    expectNoDifference(screen.lifecycle.clock.timerCount, timers)
    screen.shown.takeElements()
    screen.lifecycle.perform(.advance(by: .seconds(1)))
    expectNoDifference(screen.shown.takeElements(), ["59"])
  }

  @Test("Many buttons share one timer")
  func oneTimer() {
    let screen = ResendScreen(seconds: 60)
    let timers = screen.lifecycle.clock.timerCount
    let others = (1...100).map {
      ResendViewModel(
        seconds: 100 + $0,
        restoring: nil,
        on: screen.lifecycle.bus,
        store: { _ in }
      )
    }
    for other in others { other.appear() }
    expectNoDifference(screen.lifecycle.clock.timerCount, timers)
    expectNoDifference(others.map(\.remainingSeconds), Array(101...200))
  }

  @Test("Ticks do not drift, however irregular the calls")
  func ticksDoNotDrift() {
    let screen = ResendScreen(seconds: 60)
    var milliseconds = 1
    for _ in 1...1000 where !screen.viewModel.canResend {
      screen.lifecycle.perform(.advance(by: .milliseconds(milliseconds)))
      milliseconds = milliseconds * 37 % 4999
    }
    expectNoDifference(screen.shown.elements, (0...60).reversed().map { "\($0)" } + ["finished"])
  }

  @Test("Setting the wall clock sends no code earlier or later", arguments: [3600, -3600])
  func wallClock(shift: Int) {
    let screen = ResendScreen(seconds: 60)
    screen.lifecycle.perform(
      .setWallClock(by: .seconds(shift)),
      .advance(by: .seconds(1))
    )
    expectNoDifference(screen.viewModel.remainingSeconds, 59)
    screen.relaunch(after: .setWallClock(by: .seconds(shift)), .advance(by: .seconds(10)))
    expectNoDifference(screen.shown.takeElements(), ["49"])
  }

  @Test("Killed in the background and launched again, it goes on at the right second")
  func killedAndLaunchedAgain() {
    let screen = ResendScreen(seconds: 60)
    screen.lifecycle.perform(
      .advance(by: .milliseconds(2300)),
      .enterBackground,
      .advance(by: .seconds(10))
    )
    screen.relaunch(seconds: 5, after: .advance(by: .seconds(20)))
    #expect(!screen.viewModel.isNew)
    expectNoDifference(screen.viewModel.totalSeconds, 60)
    screen.lifecycle.perform(.advance(by: .milliseconds(700)), .advance(by: .seconds(1)))
    expectNoDifference(screen.shown.takeElements(), ["28", "27", "26"])
  }

  @Test("The deadline passes while no process is there: it says so at once; the next one is new")
  func deadlineWhileDead() {
    let screen = ResendScreen(seconds: 60)
    screen.relaunch(after: .advance(by: .seconds(60)))
    expectNoDifference(screen.shown.takeElements(), ["0", "finished"])
    #expect(screen.viewModel.canResend)
    screen.relaunch(seconds: 30, after: .advance(by: .seconds(1)))
    #expect(screen.viewModel.isNew)
    expectNoDifference(screen.shown.takeElements(), ["30"])
  }

  @Test("Killed when the deadline had passed unseen: the next launch still says so")
  func deadlineUnseen() {
    let screen = ResendScreen(seconds: 60)
    screen.lifecycle.perform(.enterBackground, .advance(by: .seconds(100)))
    screen.relaunch(after: .advance(by: .seconds(1)))
    expectNoDifference(screen.shown.takeElements(), ["0", "finished"])
  }

  @Test("After a restart of the machine the wall clock decides, unverified, then this boot's clock")
  func otherBoot() {
    let screen = ResendScreen(seconds: 60)
    screen.relaunch(after: .restartDevice(for: .seconds(20)))
    screen.lifecycle.perform(.advance(by: .seconds(1)))
    expectNoDifference(screen.shown.takeElements(), ["40?", "39?"])
    screen.relaunch(after: .setWallClock(by: .seconds(-15)), .advance(by: .seconds(4)))
    expectNoDifference(screen.shown.takeElements(), ["35?"])
  }

  @Test("After a restart, with the wall clock set back, no more remains than before")
  func otherBootSetBack() {
    let screen = ResendScreen(seconds: 60)
    screen.relaunch(
      after: .restartDevice(for: .seconds(20)),
      .setWallClock(by: .seconds(-9999))
    )
    expectNoDifference(screen.shown.takeElements(), ["60?"])
  }

  @Test("What is stored changes at the start, at the end and when a code is sent, not at ticks")
  func storedAtStartEndAndSendingNotAtTicks() {
    let screen = ResendScreen(seconds: 3)
    expectNoDifference(screen.storeCount, 1)
    screen.viewModel.resend()
    screen.lifecycle.perform(.advance(by: .milliseconds(2999)))
    expectNoDifference(screen.storeCount, 1)
    screen.lifecycle.perform(.advance(by: .milliseconds(1)))
    expectNoDifference(screen.storeCount, 2)
    expectNoDifference(screen.shown.takeElements(), ["3", "2", "1", "0", "finished"])
    screen.viewModel.resend()
    expectNoDifference(screen.storeCount, 3)
    #expect(!screen.viewModel.canResend)
    expectNoDifference(screen.shown.takeElements(), ["3"])
    screen.relaunch(after: .advance(by: .seconds(1)))
    expectNoDifference(screen.shown.takeElements(), ["2"])
    screen.lifecycle.perform(.advance(by: .seconds(2)))
    expectNoDifference(screen.shown.takeElements(), ["1", "0", "finished"])
  }

  @Test("A model that is released is not called, and not kept alive")
  func releasedModelIsNotCalled() {
    let bus = LifecycleBus()
    var viewModel: ResendViewModel? = ResendViewModel(
      seconds: 60,
      restoring: nil,
      on: bus,
      store: { _ in }
    )
    weak let released = viewModel
    bus.send(.didBecomeActive)
    viewModel?.appear()
    viewModel = nil
    #expect(released == nil)
    #expect(bus.liveSubscriptions.isEmpty)
  }
}

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
  func deadlineInBackground() throws {
    let screen = try ResendScreen(seconds: 60)
    screen.clock.advance(by: .seconds(2))
    screen.enterBackground()
    #expect(screen.clock.timerCount == 0)
    screen.clock.advance(by: .seconds(30))
    screen.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(screen.takeShown(), ["60", "59", "58"])
    screen.enterForeground()
    expectNoDifference(screen.takeShown(), ["away 90.0 seconds", "0", "finished"])
    screen.enterBackground()
    screen.clock.advance(by: .seconds(5))
    screen.enterForeground()
    screen.viewModel.disappear()
    screen.viewModel.appear()
    expectNoDifference(screen.takeShown(), ["away 5.0 seconds"])
    #expect(screen.viewModel.canResend)
    #expect(screen.viewModel.remainingSeconds == 0)
  }

  @Test("Active again without a visit to the background, as after a call: nothing changes")
  func callWithoutBackground() throws {
    let screen = try ResendScreen(seconds: 60)
    screen.clock.advance(by: .milliseconds(1500))
    screen.bus.send(.willResignActive)
    screen.clock.advance(by: .milliseconds(700))
    screen.bus.send(.didBecomeActive)
    screen.clock.advance(by: .milliseconds(800))
    expectNoDifference(screen.takeShown(), ["60", "59", "58", "57"])
  }

  @Test("A screen that appears again starts no second timer")
  func appearsAgain() throws {
    let screen = try ResendScreen(seconds: 60)
    let timers = screen.clock.timerCount
    screen.viewModel.disappear()
    for _ in 1...3 { screen.viewModel.appear() }
    #expect(screen.clock.timerCount == timers)
    _ = screen.takeShown()
    screen.clock.advance(by: .seconds(1))
    expectNoDifference(screen.takeShown(), ["59"])
  }

  @Test("Many buttons share one timer")
  func oneTimer() throws {
    let screen = try ResendScreen(seconds: 60)
    let timers = screen.clock.timerCount
    let others = (1...100).map {
      ResendViewModel(seconds: 100 + $0, restoring: nil, on: screen.bus, store: { _ in })
    }
    for other in others { other.appear() }
    #expect(screen.clock.timerCount == timers)
    #expect(others.map(\.remainingSeconds) == Array(101...200))
  }

  @Test("Ticks do not drift, however irregular the calls")
  func ticksDoNotDrift() throws {
    let screen = try ResendScreen(seconds: 60)
    var milliseconds = 1
    for _ in 1...1000 where !screen.viewModel.canResend {
      screen.clock.advance(by: .milliseconds(milliseconds))
      milliseconds = milliseconds * 37 % 4999
    }
    expectNoDifference(screen.takeShown(), (0...60).reversed().map { "\($0)" } + ["finished"])
  }

  @Test("Setting the wall clock sends no code earlier or later", arguments: [3600, -3600])
  func wallClock(shift: Int) throws {
    let screen = try ResendScreen(seconds: 60)
    screen.clock.setWallClock(by: .seconds(shift))
    screen.clock.advance(by: .seconds(1))
    #expect(screen.viewModel.remainingSeconds == 59)
    let next = try screen.relaunched(after: .seconds(10), wallShift: .seconds(shift))
    expectNoDifference(next.takeShown(), ["49"])
  }

  @Test("Killed in the background and launched again, it goes on at the right second")
  func killedAndLaunchedAgain() throws {
    let screen = try ResendScreen(seconds: 60)
    screen.clock.advance(by: .milliseconds(2300))
    screen.enterBackground()
    screen.clock.advance(by: .seconds(10))
    let next = try screen.relaunched(seconds: 5, after: .seconds(20))
    #expect(!next.viewModel.isNew)
    #expect(next.viewModel.totalSeconds == 60)
    next.clock.advance(by: .milliseconds(700))
    next.clock.advance(by: .seconds(1))
    expectNoDifference(next.takeShown(), ["28", "27", "26"])
  }

  @Test("The deadline passes while no process is there: it says so at once; the next one is new")
  func deadlineWhileDead() throws {
    let screen = try ResendScreen(seconds: 60)
    let next = try screen.relaunched(after: .seconds(60))
    expectNoDifference(next.takeShown(), ["0", "finished"])
    #expect(next.viewModel.canResend)
    let third = try next.relaunched(seconds: 30, after: .seconds(1))
    #expect(third.viewModel.isNew)
    expectNoDifference(third.takeShown(), ["30"])
  }

  @Test("Killed when the deadline had passed unseen: the next launch still says so")
  func deadlineUnseen() throws {
    let screen = try ResendScreen(seconds: 60)
    screen.enterBackground()
    screen.clock.advance(by: .seconds(100))
    let next = try screen.relaunched(after: .seconds(1))
    expectNoDifference(next.takeShown(), ["0", "finished"])
  }

  @Test("After a restart of the machine the wall clock decides, unverified, then this boot's clock")
  func otherBoot() throws {
    let screen = try ResendScreen(seconds: 60)
    let boot = BootID(rawValue: "next")
    let next = try screen.relaunched(after: .seconds(20), boot: boot)
    next.clock.advance(by: .seconds(1))
    expectNoDifference(next.takeShown(), ["40?", "39?"])
    let third = try next.relaunched(after: .seconds(4), wallShift: .seconds(-15))
    expectNoDifference(third.takeShown(), ["35?"])
  }

  @Test("After a restart, with the wall clock set back, no more remains than before")
  func otherBootSetBack() throws {
    let screen = try ResendScreen(seconds: 60)
    let boot = BootID(rawValue: "next")
    let next = try screen.relaunched(after: .seconds(20), boot: boot, wallShift: .seconds(-9999))
    expectNoDifference(next.takeShown(), ["60?"])
  }

  @Test("What is stored changes at the start, at the end and when a code is sent, not at ticks")
  func storedAtStartEndAndSendingNotAtTicks() throws {
    let screen = try ResendScreen(seconds: 3)
    #expect(screen.storeCount == 1)
    screen.viewModel.resend()
    screen.clock.advance(by: .milliseconds(2999))
    #expect(screen.storeCount == 1)
    screen.clock.advance(by: .milliseconds(1))
    #expect(screen.storeCount == 2)
    expectNoDifference(screen.takeShown(), ["3", "2", "1", "0", "finished"])
    screen.viewModel.resend()
    #expect(screen.storeCount == 3)
    #expect(!screen.viewModel.canResend)
    let next = try screen.relaunched(after: .seconds(1))
    expectNoDifference(screen.takeShown().first, "3")
    expectNoDifference(next.takeShown(), ["2"])
    next.clock.advance(by: .seconds(2))
    expectNoDifference(next.takeShown(), ["1", "0", "finished"])
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

import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleTesting
import TestSupport
import Testing

@Suite("Countdown: to a date")
@MainActor
struct CountdownDateTests {
  private let lifecycle = ScriptedLifecycle()

  init() { lifecycle.perform(.launch, .becomeActive) }

  /// A countdown to a date that is some seconds away by the wall clock.
  private func countdown(
    _ seconds: Double,
    tickInterval: Duration? = .seconds(1),
    inBackground behavior: Countdown.BackgroundBehavior = .catchUp
  ) -> Countdown {
    let bus = lifecycle.bus
    let countdown = Countdown(.zero, of: bus, tickInterval: tickInterval, inBackground: behavior)
    countdown.start(until: date(seconds))
    return countdown
  }

  private func date(_ seconds: Double) -> Duration {
    lifecycle.clock.now.timeSince1970 + .seconds(seconds)
  }

  @Test("The remaining time is that of the wall clock, reported at once or with the next tick")
  func wallClock() {
    let countdown = countdown(300)
    lifecycle.transcribe(countdown.states, as: "sale")
    lifecycle.takeTranscript()
    lifecycle.perform(.advance(by: .seconds(1)), .setWallClock(by: .seconds(100)))
    expectNoDifference(countdown.state.line, "running 199 unverified")
    lifecycle.perform(.advance(by: .seconds(1)), .setWallClock(by: .seconds(-200)))
    lifecycle.perform(.send(.significantTimeChange), .advance(by: .seconds(1)))
    lifecycle.perform(.significantTimeChange(by: .seconds(3600)))
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
        advance(by: 1 s)
          [1 s active] sale: running, 299 s, unverified
        setWallClock(by: 100 s)
        advance(by: 1 s)
          [2 s active] sale: running, 198 s, unverified
        setWallClock(by: -200 s)
        send(significantTimeChange)
          [2 s active] significantTimeChange
          [2 s active] sale: running, 398 s, unverified
        advance(by: 1 s)
          [3 s active] sale: running, 397 s, unverified
        significantTimeChange(by: 3600 s)
          [3 s active] significantTimeChange
          [3 s active] sale: finished, unverified
        """
    )
    withExtendedLifetime(countdown) {}
  }

  @Test(
    "A date that passes in the background ends before the return, also if the clock was set",
    arguments: Countdown.BackgroundBehavior.allCases
  )
  func background(_ behavior: Countdown.BackgroundBehavior) {
    let sale = countdown(300, tickInterval: nil, inBackground: behavior)
    let (bus, trace, scope) = (lifecycle.bus, Trace(), LifecycleScope("sale"))
    bus.onReturn(in: scope) { _ in trace("return") }
    sale.ends.sink { _ in trace("end \(bus.phase)") }.store(in: scope)
    lifecycle.perform(.enterBackground, .advance(by: .seconds(100)))
    lifecycle.perform(.setWallClock(by: .seconds(150)), .advance(by: .seconds(40)))
    expectNoDifference(sale.state.line, "running 10 unverified")
    lifecycle.perform(.enterForeground, .enterBackground)
    expectNoDifference(trace.take(), ["return"])
    if behavior == .finishOnTime {
      lifecycle.perform(.advance(by: .seconds(10)))
      expectNoDifference(trace.take(), ["end background"])
      sale.start(until: date(10))
    }
    lifecycle.perform(.stopProcess(for: .seconds(11)), .becomeActive)
    expectNoDifference(trace.take(), ["end background", "return"])
  }

  @Test(
    "A wall clock that is set in an observer of the return moves the end of a countdown to a date"
  )
  func setInTheReturn() {
    let sale = countdown(300, tickInterval: nil)
    let (bus, clock, other) = (lifecycle.bus, lifecycle.clock, countdown(900, tickInterval: nil))
    let token = bus.addObserver(for: .willEnterForeground) { _ in
      clock.setWallClock(by: .seconds(100))
      other.extend(by: .seconds(1))
    }
    let ends = LifecycleRecorder(sale.ends, of: bus)
    lifecycle.perform(.enterBackground, .advance(by: .seconds(100)), .enterForeground)
    lifecycle.perform(.advance(by: .seconds(100)))
    expectNoDifference(ends.elements.count, 1)
    withExtendedLifetime(token) {}
  }

  @Test("Another date starts a countdown again; the same date, pause() and resume() have no effect")
  func changedDate() {
    let (first, second) = (date(300), date(60))
    let sale = countdown(0)
    var ends = 0
    let sink = sale.ends.sink { _ in ends += 1 }
    // A date that has passed.
    expectNoDifference(ends, 1)
    sale.start(until: first)
    lifecycle.perform(.advance(by: .seconds(10)))
    sale.start(until: first)
    sale.pause()
    expectNoDifference(sale.state.line, "running 290 unverified")
    sale.resume()
    expectNoDifference(sale.state.line, "running 290 unverified")
    sale.start(until: second)
    sale.extend(by: .seconds(20))
    expectNoDifference(sale.state.line, "running 70 unverified")
    lifecycle.perform(.setWallClock(by: .seconds(30)), .advance(by: .seconds(40)))
    expectNoDifference(ends, 2)
    sale.start(until: second + .seconds(20))
    expectNoDifference(ends, 2)
    sale.restart()
    expectNoDifference(sale.state.isClockTrusted, true)
    sink.cancel()
  }

  @Test("After the end of the bus, commands and subscribers do not end a countdown to a date early")
  func endOfTheBus() {
    let sale = countdown(300)
    lifecycle.bus.send(.willTerminate)
    lifecycle.clock.setWallClock(by: .seconds(-100))
    lifecycle.clock.advance(by: .seconds(301))
    let states = LifecycleRecorder(sale.states, of: lifecycle.bus)
    sale.extend(by: .seconds(1))
    expectNoDifference(states.elements.map(\.line), ["running 99 unverified"])
    expectNoDifference(sale.state.line, "running 100 unverified")
  }

  @Test("A date is that of the wall clock, and one that no clock can show is a limit or has passed")
  func foundationDate() {
    let sale = countdown(300)
    sale.start(until: Date(timeIntervalSince1970: 1_767_225_600 + 400))
    expectNoDifference("\(sale.state)", "running, 400 s, unverified")
    sale.start(until: Date(timeIntervalSince1970: .infinity))
    #expect(sale.remaining > .seconds(70 * 365 * 86_400))
    sale.start(until: Date(timeIntervalSince1970: .nan))
    expectNoDifference("\(sale.state)", "finished, unverified")
  }

  @Test("A countdown to a date is restored in another process, and after a restart")
  func otherProcess() throws {
    let sale = countdown(300, inBackground: .pause)
    lifecycle.perform(.enterBackground)
    let data = try JSONEncoder().encode(sale.savedState)
    lifecycle.perform(.restartDevice(for: .seconds(50)), .setWallClock(by: .seconds(-100)))
    let saved = try JSONDecoder().decode(Countdown.SavedState.self, from: data)
    let restored = Countdown(restoring: saved, of: lifecycle.bus, inBackground: .pause)
    expectNoDifference(restored.state.line, "running 350 unverified")
    lifecycle.perform(.relaunch, .setWallClock(by: .seconds(100)))
    expectNoDifference(restored.state.line, "running 250 unverified")
    withExtendedLifetime(sale) {}
  }
}

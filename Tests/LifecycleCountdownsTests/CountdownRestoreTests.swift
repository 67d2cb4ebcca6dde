import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleJournaling
import LifecycleTesting
import Testing

@testable import LifecycleCountdowns

@Suite("Countdown: restoring in another process")
@MainActor
struct CountdownRestoreTests {
  /// What the clocks did while nobody looked.
  private struct Meanwhile {
    var passed: Duration
    var wallShift = Duration.zero
    var boot: BootID? = BootID(rawValue: "manual")
    /// Another boot's clocks start anew.
    var restarts = false
    /// The boot under which the state was saved.
    var savedBoot: BootID? = BootID(rawValue: "manual")
  }

  /// A countdown as the next process finds it, by way of JSON.
  private func revive(
    _ saved: Countdown.SavedState,
    _ clock: ManualClock,
    _ meanwhile: Meanwhile
  ) throws -> (countdown: Countdown, stage: CountdownStage) {
    var now = clock.now
    now.continuous += meanwhile.passed
    now.timeAwake += meanwhile.passed
    now.timeSince1970 += meanwhile.passed + meanwhile.wallShift
    if meanwhile.restarts { now.continuous = .boot + .seconds(20) }
    let clock = ManualClock(now, bootID: meanwhile.boot)
    let stage = CountdownStage(clock: clock)
    let data = try JSONEncoder().encode(saved)
    let decoded = try JSONDecoder().decode(Countdown.SavedState.self, from: data)
    expectNoDifference(decoded, saved)
    return (Countdown(restoring: decoded, of: stage.bus), stage)
  }

  private func line(
    _ meanwhile: Meanwhile,
    before: (CountdownStage, Countdown) -> Void = { _, _ in }
  ) throws -> String {
    let stage = CountdownStage(clock: ManualClock(bootID: meanwhile.savedBoot))
    let countdown = stage.countdown(60)
    countdown.start()
    stage.pass(10)
    before(stage, countdown)
    let (restored, _) = try revive(countdown.savedState, stage.clock, meanwhile)
    // Once more from there: nothing is lost or gained.
    let clock = restored.core.queue.bus.clock as! ManualClock
    let again = try revive(restored.savedState, clock, Meanwhile(passed: .zero, boot: clock.bootID))
    if clock.bootID != nil { expectNoDifference(again.countdown.state, restored.state) }
    return restored.state.line
  }

  @Test("On the same boot, the continuous clock decides, whatever the wall clock was set to")
  func sameBoot() throws {
    for shift in [0, 3600, -3600, 40, -20] {
      #expect(try line(Meanwhile(passed: .seconds(20), wallShift: .seconds(shift))) == "running 30")
    }
    #expect(try line(Meanwhile(passed: .seconds(50))) == "finished 0")
    #expect(try line(Meanwhile(passed: .seconds(5000), wallShift: .seconds(-9000))) == "finished 0")
  }

  @Test(
    "Without boot identities, it is the same boot while both clocks agree on the moment of the boot"
  )
  func clocksInsteadOfIdentities() throws {
    func line(_ passed: Int, shift: Int = 0, restarts: Bool = false) throws -> String {
      var meanwhile = Meanwhile(passed: .seconds(passed), wallShift: .seconds(shift), boot: nil)
      (meanwhile.restarts, meanwhile.savedBoot) = (restarts, nil)
      return try self.line(meanwhile)
    }
    #expect(try line(20) == "running 30")
    // Corrected by the network.
    #expect(try line(20, shift: 10) == "running 30")
    #expect(try line(20, shift: -10) == "running 30")
    // Set by the user.
    #expect(try line(20, shift: 11) == "running 19 unverified")
    #expect(try line(20, shift: -3600) == "running 50 unverified")
    #expect(try line(20, restarts: true) == "running 30 unverified")
  }

  @Test("On another or an unknown boot, the wall clock decides, and the time is not verified")
  func otherBoot() throws {
    // The same boot, with a clock that went back, as in another time namespace.
    #expect(try line(Meanwhile(passed: .seconds(20), restarts: true)) == "running 30 unverified")
    for boot in [BootID(rawValue: "other"), nil] {
      func line(_ passed: Int, shift: Int = 0, restarts: Bool = true) throws -> String {
        try self.line(
          Meanwhile(
            passed: .seconds(passed),
            wallShift: .seconds(shift),
            boot: boot,
            restarts: restarts
          )
        )
      }
      #expect(try line(20) == "running 30 unverified")
      #expect(try line(20, shift: 10) == "running 20 unverified")
      // Set back: no more than was left.
      #expect(try line(20, shift: -3600) == "running 50 unverified")
      #expect(try line(20, shift: 3600) == "finished 0 unverified")
      #expect(try line(51, restarts: false) == "finished 0 unverified")
    }
  }

  @Test("A countdown that is idle, paused or finished is restored unchanged, on any boot")
  func atRest() throws {
    for boot in [BootID(rawValue: "manual"), BootID(rawValue: "other"), nil] {
      let meanwhile = Meanwhile(passed: .seconds(5000), wallShift: .seconds(77), boot: boot)
      #expect(try line(meanwhile) { $1.pause() } == "paused 50")
      #expect(try line(meanwhile) { $1.reset() } == "idle 60")
      #expect(try line(meanwhile) { stage, _ in stage.pass(50) } == "finished 0")
      #expect(try line(meanwhile) { $1.extend(by: .seconds(-50)) } == "finished 0")
    }
  }

  @Test(
    "A countdown that was held in the background is restored held there, and runs in the foreground"
  )
  func heldByTheBackground() throws {
    let stage = CountdownStage()
    let countdown = stage.countdown(60, inBackground: .pause)
    countdown.start()
    stage.pass(10)
    stage.enterBackground()
    stage.pass(500)
    let saved = countdown.savedState
    expectNoDifference(saved.deadline, nil)
    let (restored, other) = try revive(saved, stage.clock, Meanwhile(passed: .seconds(900)))
    expectNoDifference(restored.state.line, "running 50")
    other.pass(10)
    expectNoDifference(restored.state.line, "running 40")
    let away = CountdownStage(phase: .didEnterBackground)
    let waiting = Countdown(restoring: saved, of: away.bus, inBackground: .pause)
    let states = away.record(waiting)
    away.pass(10)
    expectNoDifference(waiting.state, .paused(50))
    away.enterForeground()
    away.pass(0.5)
    expectNoDifference(states.elements, [.paused(50), .running(50)])
    expectNoDifference(waiting.state, .running(49.5))
  }

  @Test(
    "After a kill in the foreground, a countdown with .pause continues from the last sign of life",
    arguments: [false, true]
  )
  func killedInSight(isRestarted: Bool) {
    var countdown: Countdown?
    var store: () throws -> Void = {}
    let lifecycle = ScriptedLifecycle { process in
      let (bus, files) = (process.bus, process.fileSystem)
      let journal = try LifecycleJournal(
        at: "state",
        of: bus,
        heartbeat: .seconds(10),
        fileSystem: files
      )
      process.keep(journal)
      let saved = try journal.value(Countdown.SavedState.self, forKey: "countdown")
      countdown = saved.map {
        Countdown(
          restoring: $0,
          of: bus,
          inBackground: .pause,
          lastSignOfLife: journal.previousSignOfLife
        )
      }
      let running = countdown ?? Countdown(.seconds(1500), of: bus, inBackground: .pause)
      countdown = running
      running.start()
      store = { try journal.set(running.savedState, forKey: "countdown") }
    }
    lifecycle.perform(.launch, .becomeActive)
    #expect(throws: Never.self) { try store() }
    lifecycle.perform(.advance(by: .seconds(95)))
    lifecycle.perform(isRestarted ? .restartDevice(for: .zero) : .kill)
    lifecycle.perform(.advance(by: .seconds(1000)), .relaunch)
    let unverified = isRestarted ? " unverified" : ""
    expectNoDifference(countdown?.state.line, "paused 1410\(unverified)")
    lifecycle.perform(.becomeActive, .advance(by: .seconds(10)))
    expectNoDifference(countdown?.state.line, "running 1400\(unverified)")
  }

  @Test("A last sign of life holds neither a date, nor a countdown that ended before it")
  func notHeld() {
    let stage = CountdownStage()
    let now = stage.clock.now
    for (isDate, line) in [(true, "running 100 unverified"), (false, "finished 0")] {
      let countdown = stage.countdown(10, inBackground: .pause)
      if isDate { countdown.start(until: now.timeSince1970 + .seconds(200)) }
      countdown.start()
      let restored = Countdown(
        restoring: countdown.savedState,
        of: LifecycleBus(clock: ManualClock(now.advanced(by: .seconds(100)))),
        inBackground: .pause,
        lastSignOfLife: now.advanced(by: .seconds(20))
      )
      expectNoDifference(restored.state.line, line)
      if !isDate { expectNoDifference(restored.state.endedAt, now.continuous + .seconds(10)) }
    }
  }

  @Test(
    "On the return, a saved state is one of the foreground before the countdown is notified of it"
  )
  func storedOnTheReturn() throws {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    var countdown: Countdown?
    var stored: Countdown.SavedState?
    // It is registered before the countdowns' row, and so receives the event before it.
    let token = bus.addObserver(for: .willEnterForeground) { _ in stored = countdown?.savedState }
    bus.send(.didBecomeActive)
    countdown = Countdown(.seconds(60), of: bus, inBackground: .pause)
    countdown?.start()
    clock.advance(by: .seconds(10))
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(500))
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(20))
    let next = LifecycleBus(clock: clock)
    let restored = Countdown(restoring: try #require(stored), of: next, inBackground: .pause)
    expectNoDifference(restored.remaining, .seconds(30))
    expectNoDifference(countdown?.remaining, .seconds(30))
    withExtendedLifetime((bus, next, token)) {}
  }

  @Test("A state that is saved in the unknown phase is restored held if the behavior is .pause")
  func unknownPhase() throws {
    for behavior in Countdown.BackgroundBehavior.allCases {
      let clock = ManualClock()
      let bus = LifecycleBus(clock: clock)
      let countdown = Countdown(.seconds(60), of: bus, inBackground: behavior)
      countdown.start()
      clock.advance(by: .seconds(10))
      // The countdown itself runs: perhaps the bus has no source.
      expectNoDifference(countdown.state, .running(50))
      let saved = countdown.savedState
      expectNoDifference(saved.status, .running)
      expectNoDifference(saved.deadline == nil, behavior == .pause)

      let next = LifecycleBus(clock: clock)
      let restored = Countdown(restoring: saved, of: next, inBackground: behavior)
      let states = LifecycleRecorder(restored.states, of: next)
      clock.advance(by: .seconds(5))
      next.send(.didBecomeActive)
      clock.advance(by: .seconds(0.5))
      expectNoDifference(
        states.elements,
        behavior == .pause
          ? [.paused(50), .running(50)]
          : [.running(50), .running(49), .running(48), .running(47), .running(46), .running(45)]
      )
      expectNoDifference(restored.remaining, .seconds(behavior == .pause ? 49.5 : 44.5))
    }
  }

  @Test("Commands in the unknown phase do not let a restored countdown run before the foreground")
  func commandsInUnknownPhase() throws {
    let saved = Countdown.SavedState(
      duration: .seconds(60),
      status: .running,
      remaining: .seconds(50)
    )
    let commands: [(String, (Countdown) -> Void)] = [
      ("running 50", { $0.start() }), ("paused 50", { $0.pause() }),
      ("running 50", { $0.resume() }), ("running 55", { $0.extend(by: .seconds(5)) }),
      ("running 60", { $0.restart() }), ("idle 60", { $0.reset() }),
    ]
    for (line, command) in commands {
      let clock = ManualClock()
      let bus = LifecycleBus(clock: clock)
      let countdown = Countdown(restoring: saved, of: bus, inBackground: .pause)
      command(countdown)
      expectNoDifference(countdown.savedState.deadline, nil)
      clock.advance(by: .seconds(7))
      #expect(countdown.state.status != .running)
      bus.send(.didBecomeActive)
      expectNoDifference(countdown.state.line, line)
    }
  }

  @Test("restart() and reset() make an unverified countdown verified again")
  func verifiedAgain() throws {
    let saved = Countdown.SavedState(
      duration: .seconds(60),
      status: .running,
      remaining: .seconds(30),
      deadline: .init(
        continuous: .boot + .seconds(1),
        timeSince1970: .seconds(1_767_225_610),
        bootID: nil
      )
    )
    let (countdown, stage) = try revive(saved, ManualClock(), Meanwhile(passed: .zero))
    expectNoDifference(countdown.state.line, "running 10 unverified")
    countdown.pause()
    #expect(!countdown.savedState.isClockTrusted)
    countdown.resume()
    let states = stage.record(countdown)
    countdown.restart()
    stage.pass(1)
    let unverified = Countdown.State(
      status: .running,
      remaining: .seconds(10),
      isClockTrusted: false
    )
    expectNoDifference(states.elements, [unverified, .running(60), .running(59)])
    withExtendedLifetime(countdown) {}
    let (other, _) = try revive(saved, ManualClock(), Meanwhile(passed: .zero))
    other.reset()
    expectNoDifference(other.state.line, "idle 60")
  }

  @Test("A stored state of the current format is decoded; a missing part is named in the error")
  func storedRecordsRemainReadable() throws {
    let parts = [
      "duration": "[3,4659767778871345152]", "isClockTrusted": "false", "isEndPending": "true",
      "remaining": "[0,5000000000000000000]", "status": #""running""#,
      "deadline": #"{"bootID":"b","continuous":[0,1000000000000000000],"wall":[0,7]}"#,
    ]
    func text(without missing: String = "") -> String {
      let members = parts.filter { $0.key != missing }.map { "\"\($0)\":\($1)" }
      return "{\(members.sorted().joined(separator: ","))}"
    }
    func saved(_ text: String) throws -> Countdown.SavedState {
      try JSONDecoder().decode(Countdown.SavedState.self, from: Data(text.utf8))
    }
    var expected = Countdown.SavedState(
      duration: .seconds(60),
      status: .running,
      remaining: .seconds(5),
      deadline: .init(
        continuous: .boot + .seconds(1),
        timeSince1970: Duration(secondsComponent: 0, attosecondsComponent: 7),
        bootID: BootID(rawValue: "b")
      ),
      isClockTrusted: false,
      isEndPending: true
    )
    expectNoDifference(try saved(text()), expected)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    expectNoDifference(String(decoding: try encoder.encode(expected), as: UTF8.self), text())
    expected.deadline = nil
    expectNoDifference(try saved(text(without: "deadline")), expected)
    for key in ["duration", "isClockTrusted", "isEndPending", "remaining", "status"] {
      do {
        _ = try saved(text(without: key))
        Issue.record("There is no \(key).")
      } catch DecodingError.keyNotFound(let missing, _) {
        expectNoDifference(missing.stringValue, key)
      }
    }
  }

  private nonisolated static let extremes: [Duration] = {
    let most = Duration(secondsComponent: .max, attosecondsComponent: 0) * 16
    return [.zero - most, .seconds(-1), .zero, .seconds(5), .seconds(Int64.max), most]
  }()

  @Test(
    "Saved states with extreme values neither trap nor have more time remaining than they contain",
    arguments: Countdown.Status.allCases,
    extremes
  )
  func editedRecordsDoNotTrap(_ status: Countdown.Status, _ duration: Duration) {
    for remaining in Self.extremes {
      for reading in Self.extremes {
        for boot in [BootID(rawValue: "manual"), nil] {
          let stage = CountdownStage()
          let deadline = Countdown.SavedState.Deadline(
            continuous: ContinuousInstant(timeSinceBoot: reading),
            timeSince1970: reading,
            bootID: boot
          )
          let saved = Countdown.SavedState(
            duration: duration,
            status: status,
            remaining: remaining,
            deadline: boot == nil && reading == .zero ? nil : deadline
          )
          let countdown = Countdown(restoring: saved, of: stage.bus)
          let limit = status == .idle ? max(duration, .zero) : max(remaining, .zero)
          #expect(countdown.remaining >= .zero && countdown.remaining <= limit)
          let sink = countdown.states.sink { _ in }
          stage.pass(1)
          countdown.extend(by: remaining)
          _ = countdown.savedState
          countdown.restart()
          sink.cancel()
        }
      }
    }
  }
}

import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import Testing

extension FindingTests {
  @Test("A finding about the program itself names no source")
  func programItself() {
    let life = recording(
      input(.didBecomeActive, 0, .masked),
      input(.didBecomeActive, 0, .terminated),
      input(.didBecomeActive, 0, .duplicate),
      input(.willResignActive, 0, .duplicate)
    )
    expectNoDifference(
      life.findings().map(\.content).dropLast(),
      [
        .masked(.didBecomeActive, source: nil), .late(.didBecomeActive, source: nil),
        .duplicate(.didBecomeActive, source: nil), .mismatch(.willResignActive, source: nil),
      ]
    )
  }

  @Test("A notice of protected data that opens a pair twice, or closes it twice, does not fit")
  func protectedData() {
    let lock = event(.protectedDataWillBecomeUnavailable, .active, .active)
    let unlock = event(.protectedDataDidBecomeAvailable, .active, .active)
    expectNoDifference(sentences(recording(lock, unlock, lock, unlock)), [])
    expectNoDifference(
      sentences(recording(lock, lock, unlock, unlock)),
      [
        """
        signals reported protectedDataWillBecomeUnavailable again, without a \
        protectedDataDidBecomeAvailable before it.
        """,
        """
        signals reported protectedDataDidBecomeAvailable without a \
        protectedDataWillBecomeUnavailable before it.
        """,
      ]
    )
  }

  @Test("What happened once is described without a number, also a clock that was set forward")
  func once() {
    let warning = makeEvent(.didReceiveMemoryWarning, .active, .active)
    var life = recording(stay(90_061))
    life.records += [
      FlightRecord(.note("a"), at: instant(10)),
      FlightRecord(.note("b"), at: instant(27_010, asleep: 27_000)),
      FlightRecord(.note("c"), at: instant(27_011, asleep: 27_000, shift: 3_600)),
      FlightRecord(.event(warning), at: instant(27_012, asleep: 27_000, shift: 3_600)),
    ]
    expectNoDifference(
      sentences(life),
      [
        "The process was in the background for 1 d 1 h.", "The machine slept for 7 h 30 min.",
        "The clock was set forward by 1 h.", "Memory was low.",
      ]
    )
    expectNoDifference(life.findings()[2].content, .clockChange(.seconds(3_600)))
  }

  @Test("Several pauses have the text of the first one")
  func pauses() {
    let pauses = ["frozen", "stopped"].map { cause in
      var pause = makeEvent(.processWasPaused, .active, .active)
      pause.metadata = ["pauseCause": cause]
      return FlightRecord.Content.event(pause)
    }
    expectNoDifference(
      sentences(recording(pauses[0], pauses[1])),
      ["The process was paused without notice 2 times (first pauseCause: frozen)."]
    )
  }

  @Test("The limit of a stay is a day by default, for a file, too")
  func stayLimitOfFile() {
    let life = recording(stay(86_400), stay(86_400.5), .ended)
    let longest = FlightFinding.Content.longStay(longest: .seconds(86_400.5))
    expectNoDifference(life.findings().map(\.content), [longest])
    expectNoDifference(FlightFile(life).findings().map(\.content), [longest])
    expectNoDifference(FlightFile(life).findings().map(\.count), [1])
  }

  @Test(
    "A report that does not fit is described with what is missing before it",
    arguments: [
      (LifecycleEvent.Kind.didBecomeActive, "without a willResignActive before it"),
      (.willResignActive, "without a didBecomeActive before it"),
      (.willEnterForeground, "without a didEnterBackground before it"),
      (.didEnterBackground, "without a willEnterForeground before it"),
      (.didFinishLaunching, "when it no longer applied"),
    ]
  )
  func missingBeginning(_ kind: LifecycleEvent.Kind, _ words: String) {
    var life = recording(input(kind, 1, .duplicate))
    life.start.sources = [FlightSource(id: 1, name: "signals")]
    expectNoDifference(sentences(life), ["signals reported \(kind) \(words)."])
  }

  @Test("The texts for short times, several tasks, the program, and one dropped record")
  func words() {
    var life = recording(
      input(.didBecomeActive, 0, .masked),
      event(.processWasPaused, .active, .active),
      .activity(FlightActivity(.backgroundTask, id: 1, name: "upload", .began)),
      .activity(FlightActivity(.backgroundTask, id: 2, name: "upload", .began))
    )
    life.start.dropped = 1
    life.records.append(FlightRecord(.note("woken"), at: instant(40.25, asleep: 30.25)))
    expectNoDifference(
      sentences(life),
      [
        "The recording is not complete: 1 record before this was dropped.",
        "didBecomeActive of the program had no effect, because another source determined the phase.",
        "The process was paused without notice.", "The machine slept for 30.25 s.",
        "2 background tasks \"upload\" were still under way at the end.",
      ]
    )
  }

  @Test("A notice of the program itself is compared, too")
  func noticeOfTheProgram() {
    var sleep = makeEvent(.systemWillSleep, .active, .active)
    sleep.origin = .manual
    expectNoDifference(
      sentences(recording(.event(sleep), .event(sleep))),
      ["The program reported systemWillSleep again, without a systemDidWake before it."]
    )
  }
}

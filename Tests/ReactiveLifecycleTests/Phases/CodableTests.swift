import CustomDump
import Foundation
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Events as JSON")
struct CodableTests {
  @Test(
    "A source's name comes back, whatever it is",
    arguments: ["", ")", "source(a)", "manual", "\u{301}x", "x\u{600}", "\u{200D}", "\u{1F3FB}"]
  )
  func sourceName(text: String) throws {
    let origin = LifecycleEvent.Origin.source(LifecycleSourceName(rawValue: text))
    let data = try JSONEncoder().encode([origin])
    expectNoDifference(try JSONDecoder().decode([LifecycleEvent.Origin].self, from: data), [origin])
  }

  @Test("An origin that is none is refused, and named")
  func badOrigin() throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([LifecycleEvent.Origin].self, from: Data(#"["source("]"#.utf8))
    }
    #expect("\(try #require(error))".contains(#"found "source(""#))
    expectNoDifference(error?.isDataCorrupted, true)
  }

  @Test("An origin is written as its description, and comes back")
  func originIsWrittenAsItsDescription() throws {
    let origins: [LifecycleEvent.Origin] = [.source("a"), .synthesized, .manual, .catchUp]
    let data = try JSONEncoder().encode(origins)
    expectNoDifference(
      String(decoding: data, as: UTF8.self),
      #"["source(a)","synthesized","manual","catchUp"]"#
    )
    expectNoDifference(try JSONDecoder().decode([LifecycleEvent.Origin].self, from: data), origins)
  }

  @Test("An event comes back")
  func eventSurvivesCoding() throws {
    let instant = LifecycleInstant(
      continuous: .boot + .seconds(9),
      timeAwake: .seconds(8),
      timeSince1970: .zero
    )
    let event = LifecycleEvent(
      kind: "custom",
      previousPhase: .background,
      phase: .inactive,
      sequenceNumber: 4,
      instant: instant,
      origin: .source("replay"),
      backgroundStay: BackgroundStay(
        from: LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .seconds(5)),
        to: instant
      ),
      metadata: ["scene": "main"]
    )
    let data = try JSONEncoder().encode(event)
    expectNoDifference(try JSONDecoder().decode(LifecycleEvent.self, from: data), event)
  }

  @Test("The origin replay of earlier versions is decoded as a source of that name")
  func earlierReplayOrigin() throws {
    let data = Data("[\"replay\"]".utf8)
    let origins = try JSONDecoder().decode([LifecycleEvent.Origin].self, from: data)
    expectNoDifference(origins, [.source("replay")])
  }

  @Test("A stay that can't be is refused", arguments: [(-1, 0), (5, 6), (5, -1)])
  func badStay(duration: Int, asleep: Int) throws {
    let parts = ["duration": duration, "timeAsleep": asleep, "wallClockShift": 0]
    let data = try JSONEncoder().encode(parts.mapValues { Duration.seconds($0) })
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(BackgroundStay.self, from: data)
    }
    expectNoDifference(error?.isDataCorrupted, true)
  }

  @Test("Instants at the ends of what a duration holds make a stay")
  func extremeInstantsMakeAStay() {
    let most = Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
    let first = LifecycleInstant([.zero - most, most, most])
    let last = LifecycleInstant([most, .zero - most, .zero - most])
    #expect(BackgroundStay(from: first, to: last).duration > .zero)
    expectNoDifference(BackgroundStay(from: last, to: first).duration, .zero)
  }
}

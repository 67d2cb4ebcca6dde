import CustomDump
import Foundation
import LifecycleCore
import TestSupport
import Testing

@Suite("Events as JSON")
struct CodableTests {
  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  private func expectToComeBack<Value: Codable & Equatable>(_ value: Value) throws {
    expectNoDifference(try decode(Value.self, text(value)), value)
  }

  @Test("Origins, boots and instants have a stable JSON")
  func stableText() throws {
    let origins: [LifecycleEvent.Origin] = [.source("a"), .synthesized, .manual, .catchUp]
    expectNoDifference(try text(origins), #"["source(a)","synthesized","manual","catchUp"]"#)
    expectNoDifference(try text(["boot": BootID(rawValue: "6d0b")]), #"{"boot":"6d0b"}"#)
    let instant = LifecycleInstant(
      continuous: .boot + .seconds(1),
      timeAwake: .zero,
      timeSince1970: Duration(secondsComponent: 0, attosecondsComponent: 7)
    )
    expectNoDifference(
      try text(instant),
      #"{"continuous":[0,1000000000000000000],"suspending":[0,0],"wall":[0,7]}"#
    )
  }

  @Test("Origins, boots and events are decoded as they were encoded")
  func everythingComesBack() throws {
    let names = ["", ")", "source(a)", "manual", "\u{301}x", "x\u{600}", "\u{200D}", "\u{1F3FB}"]
    let origins = names.map { LifecycleEvent.Origin.source(LifecycleSourceName(rawValue: $0)) }
    try expectToComeBack(origins + [.synthesized, .manual, .catchUp])
    try expectToComeBack(["boot": BootID(rawValue: "6d0b")])
    let instant = LifecycleInstant(
      continuous: .boot + .seconds(9),
      timeAwake: .seconds(8),
      timeSince1970: .zero
    )
    try expectToComeBack(
      LifecycleEvent(
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
    )
  }

  @Test(
    "An instant is encoded as a duration is",
    arguments: [
      Duration.zero, .seconds(3600), .milliseconds(-1), Duration.longest,
      Duration.shortest,
    ]
  )
  func instantIsEncodedAsDuration(_ time: Duration) throws {
    let instant = ContinuousInstant(timeSinceBoot: time)
    let stored = try text(["continuous": time])
    expectNoDifference(
      try decode([String: ContinuousInstant].self, stored),
      ["continuous": instant]
    )
    expectNoDifference(try text(["continuous": instant]), stored)
  }

  @Test("Decoding refuses an unknown origin and an impossible stay")
  func refused() throws {
    let origin = #expect(throws: DecodingError.self) {
      try decode([LifecycleEvent.Origin].self, #"["source("]"#)
    }
    #expect("\(try #require(origin))".contains(#"found "source(""#))
    for (duration, asleep) in [(-1, 0), (5, 6), (5, -1)] {
      let parts = ["duration": duration, "timeAsleep": asleep, "wallClockShift": 0]
      let stay = try text(parts.mapValues { Duration.seconds($0) })
      let error = #expect(throws: DecodingError.self) { try decode(BackgroundStay.self, stay) }
      expectNoDifference(error?.isDataCorrupted, true)
    }
  }
}

extension DecodingError {
  /// Whether the error is that a text has the right type, and is not valid.
  var isDataCorrupted: Bool {
    if case .dataCorrupted = self { true } else { false }
  }
}

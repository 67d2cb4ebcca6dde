import LifecycleCore
package import LifecycleFlightRecording

/// Recordings with everything that can be in one, also what no bus would record.
package struct RandomRecording {
  private var random: SeededGenerator
  private var lastSource = 0

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Returns the runs of a file.
  package static func runs(seed: UInt64) -> [FlightRecording] {
    var random = Self(seed: seed)
    let count = Int.random(in: 0...4, using: &random.random)
    return (0..<count).map { _ in random.next(recordCount: 40) }
  }

  package mutating func next(recordCount: Int = 20) -> FlightRecording {
    FlightRecording(
      process: .init(
        name: text(),
        id: .random(in: .min ... .max, using: &random),
        bootID: flip() ? nil : BootID(rawValue: text()),
        version: flip() ? nil : text(),
        run: flip() ? nil : text()
      ),
      start: .init(
        at: instant(),
        phase: phase(),
        program: phase(),
        sources: (0..<Int.random(in: 0...3, using: &random)).map { _ in source() },
        dropped: number() / 2
      ),
      records: (0..<recordCount).map { _ in FlightRecord(content(), at: instant()) }
    )
  }

  /// Texts that a careless writer or reader of lines would break.
  static let texts = [
    "", " ", "a", "didEnterBackground", "two\nlines", "\r\n", "\r", "tab\t", "\"quoted\"", "\\",
    "\\n", "{}", "}", "{", "[", ",", ":", "null", "source(x)", ")", "\u{0}", "\u{1F}", "\u{7F}",
    "\u{2028}\u{2029}", "\u{FEFF}", "é", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦", "🇨🇭", "日本語", "مرحبا",
    "\u{10FFFF}", "\u{FFFD}", "/a/b", "</script>", String(repeating: "long ", count: 1_000),
  ]

  mutating func text() -> String {
    let text = Self.texts.randomElement(using: &random)!
    return Int.random(in: 0..<3, using: &random) > 0
      ? text : text + Self.texts.randomElement(using: &random)!
  }

  private mutating func flip() -> Bool { .random(using: &random) }

  private mutating func number() -> Int {
    let numbers = [0, 1, 2, 3, 1 << 31, 1 << 32, 1 << 53 - 1]
    return numbers.randomElement(using: &random)!
  }

  private mutating func duration() -> Duration {
    let extremes: [Int64] = [0, 1, -1, 999_999_999, 1_000_000_001, .max, .min, .max / 2]
    if flip() { return .nanoseconds(extremes.randomElement(using: &random)!) }
    return .nanoseconds(Int64.random(in: -10_000_000_000...10_000_000_000, using: &random))
  }

  private mutating func instant() -> LifecycleInstant {
    LifecycleInstant(
      continuous: ContinuousInstant(timeSinceBoot: duration()),
      timeAwake: duration(),
      timeSince1970: duration()
    )
  }

  private mutating func phase() -> LifecyclePhase {
    LifecyclePhase.allCases.randomElement(using: &random)!
  }

  private mutating func kind() -> LifecycleEvent.Kind {
    flip() ? .didEnterBackground : LifecycleEvent.Kind(rawValue: text())
  }

  private mutating func metadata() -> [String: String] {
    var metadata: [String: String] = [:]
    for _ in 0..<Int.random(in: 0...2, using: &random) { metadata[text()] = text() }
    return metadata
  }

  private mutating func source() -> FlightSource {
    let roles: [LifecycleRole] = [
      .participant(.application), .ceiling, .participant("window"),
      .participant(.init(rawValue: text())),
    ]
    lastSource += flip() ? 1 : 1 << 31
    return FlightSource(
      id: lastSource,
      name: LifecycleSourceName(rawValue: text()),
      role: roles.randomElement(using: &random)!,
      whole: lastSource == 1 || flip() ? nil : .random(in: 1..<lastSource, using: &random),
      phase: phase()
    )
  }

  private mutating func event() -> LifecycleEvent {
    let origins: [LifecycleEvent.Origin] = [
      .manual, .synthesized, .catchUp, .source(.init(rawValue: text())),
    ]
    return LifecycleEvent(
      kind: kind(),
      previousPhase: phase(),
      phase: phase(),
      sequenceNumber: number(),
      instant: instant(),
      origin: origins.randomElement(using: &random)!,
      backgroundStay: flip() ? nil : stay(),
      metadata: metadata()
    )
  }

  private mutating func stay() -> BackgroundStay {
    func reading(_ range: ClosedRange<Int64>) -> Duration {
      .nanoseconds(Int64.random(in: range, using: &random))
    }
    let (away, awake) = (reading(0...1 << 40), reading(0...1 << 40))
    let origin = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    let returned = LifecycleInstant(
      continuous: .boot + away,
      timeAwake: awake,
      timeSince1970: reading(-1 << 40...1 << 40)
    )
    return BackgroundStay(from: origin, to: returned)
  }

  private mutating func content() -> FlightRecord.Content {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .connected(source())
    case 1: .disconnected(source: number())
    case 2:
      .input(
        FlightInput(
          kind(),
          from: number(),
          metadata: metadata(),
          suppressed: flip() ? nil : SuppressedInput.Reason.allCases.randomElement(using: &random)!
        )
      )
    case 3: .event(event())
    case 4:
      .observerAdded(observer: number(), location())
    case 5: .observerRemoved(observer: number())
    case 6: .activity(activity())
    case 7: .note(text())
    case 8: .overrun(kind(), location())
    default: .ended
    }
  }

  private mutating func location() -> LifecycleObserverLocation {
    LifecycleObserverLocation(
      scope: flip() ? nil : text(),
      fileID: flip() ? nil : text(),
      line: flip() ? nil : UInt(number())
    )
  }

  private mutating func activity() -> FlightActivity {
    let changes: [FlightActivity.Change] = [.began, .paused, .resumed, .ended(text())]
    return FlightActivity(
      FlightActivity.Kind.allCases.randomElement(using: &random)!,
      id: number(),
      name: text(),
      changes.randomElement(using: &random)!
    )
  }
}

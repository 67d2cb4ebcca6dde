import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport

extension Story {
  /// What a damaged or foreign file may contain: any order, any numbers, clocks that jump.
  static func random(seed: UInt64) -> [FlightRecording] {
    var random = SeededGenerator(seed: seed)
    let texts = [
      "", "signals", "a", "</script>", "\u{1B}[2J", "漢字の名前", "\u{202E}x", "\"'&<>", "\u{0}",
      String(repeating: "long ", count: 60), "👩‍👩‍👧", "\u{300}\u{301}", "\n", "]]>", "\\u{41}",
    ]
    func text() -> String { texts.randomElement(using: &random)! }
    func number() -> Int { Int.random(in: -1...6, using: &random) }
    func jump() -> Duration {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: .seconds(Int64.max)
      case 1: .seconds(Int64.min)
      case 2: .seconds(-100)
      case 3...12: .zero
      case 13...20: .microseconds(Int.random(in: 0...999, using: &random))
      case 21: .seconds(86_400 * Int.random(in: 1...400, using: &random))
      default: .milliseconds(Int.random(in: 0...90_000, using: &random))
      }
    }
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .willTerminate, .didReceiveMemoryWarning, .systemWillSleep,
      .systemDidWake, .significantTimeChange, "ownNotice",
    ]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in
      var story = Story(
        text(),
        id: Int32(number()),
        boot: Bool.random(using: &random) ? "boot" : nil,
        at: jump(),
        wall: jump(),
        phase: LifecyclePhase.allCases.randomElement(using: &random)!,
        dropped: max(number(), 0)
      )
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let step = jump()
        switch Int.random(in: 0..<12, using: &random) {
        case 0: story.sleep(step)
        case 1: story.setClock(step)
        case 2...6: story.wait(step)
        default: break
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: story.connect(number(), LifecycleSourceName(rawValue: text()))
        case 1: story.disconnect(number())
        case 2...4:
          let kind = kinds.randomElement(using: &random)!
          story.input(kind, from: number(), metadata: [text(): text()])
        case 5:
          let reason = SuppressedInput.Reason.allCases.randomElement(using: &random)!
          story.suppress(.didBecomeActive, from: number(), reason)
        case 6: story.observe(number(), text())
        case 7: story.add(.observerRemoved(observer: number()))
        case 8:
          let kind = FlightActivity.Kind.allCases.randomElement(using: &random)!
          let changes: [FlightActivity.Change] = [.began, .paused, .resumed, .ended(text())]
          story.activity(kind, number(), text(), changes.randomElement(using: &random)!)
        default: story.note(text())
        }
      }
      if Bool.random(using: &random) { story.add(.ended) }
      return story.recording
    }
  }
}

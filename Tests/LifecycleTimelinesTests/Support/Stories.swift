import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport

extension Story {
  /// Half a minute, the smallest life: launched, away, back, ended.
  static var short: Story {
    var story = Story()
    story.launch()
    story.wait(.seconds(10))
    story.leave()
    story.wait(.seconds(15))
    story.comeBack()
    story.wait(.seconds(5))
    story.end()
    return story
  }

  /// Some minutes with everything that a lane can show.
  static var rental: Story {
    var story = Story()
    story.connect(1, "signals")
    story.connect(2, "terminal focus", as: .ceiling)
    story.connect(3, "system clock")
    story.observe(1, "screen")
    story.observe(2, "screen")
    story.wait(.seconds(1))
    story.launch(from: 1)
    story.wait(.seconds(4))
    story.note("rental started")
    story.activity(.countdown, 1, "rental", .began)
    story.wait(.seconds(12))
    story.observe(3)
    story.suppress(.didBecomeActive, from: 1, .duplicate)
    story.wait(.seconds(9))
    story.activity(.backgroundTask, 1, "upload", .began)
    story.leave(from: 1)
    story.wait(.seconds(7))
    story.activity(.backgroundTask, 2, "thumbnails", .began)
    story.wait(.seconds(9))
    story.activity(.backgroundTask, 2, "thumbnails", .ended("finished"))
    story.suppress(.willEnterForeground, from: 2, .masked)
    story.wait(.seconds(14))
    story.activity(.backgroundTask, 1, "upload", .ended("expired"))
    story.input(.systemWillSleep, from: 3)
    story.sleep(.seconds(60))
    story.input(.systemDidWake, from: 3, metadata: ["timeAsleep": "60 s"])
    story.wait(.seconds(2))
    story.comeBack(from: 1)
    story.wait(.seconds(16))
    story.input(.didReceiveMemoryWarning, from: 3, metadata: ["memoryPressure": "warning"])
    story.wait(.seconds(5))
    story.activity(.fetch, 1, "feed", .began)
    story.wait(.seconds(6))
    story.activity(.fetch, 1, "feed", .ended("newData"))
    story.activity(.countdown, 1, "rental", .paused)
    story.wait(.seconds(18))
    story.activity(.countdown, 1, "rental", .resumed)
    story.setClock(.seconds(-3_600))
    story.input(.significantTimeChange, from: 3, metadata: ["clockShift": "-3600 s"])
    story.wait(.seconds(22))
    story.activity(.countdown, 1, "rental", .ended("finished"))
    story.note("rental ended")
    story.add(.observerRemoved(observer: 3))
    story.wait(.seconds(9))
    story.leave(from: 1)
    story.wait(.seconds(3))
    story.end(from: 1)
    return story
  }

  /// A life of days, up to about a number of records.
  static func week(records: Int, seed: UInt64 = 1) -> Story {
    var random = SeededGenerator(seed: seed)
    var story = Story()
    for (id, name) in ["signals", "terminal focus", "system clock", "memory pressure"].enumerated()
    {
      story.connect(id + 1, LifecycleSourceName(rawValue: name))
    }
    story.launch(from: 1)
    var number = 0
    let pause = 7.0 * 86_400 / Double(max(records / 9, 1))
    while story.recording.records.count < records - 2 {
      number += 1
      let length = Double.random(in: 0.05...0.6, using: &random)
      story.wait(.seconds(pause * length))
      story.leave(from: 1)
      story.activity(.backgroundTask, number, "save", .began)
      story.wait(.milliseconds(Int.random(in: 5...3_000, using: &random)))
      story.activity(
        .backgroundTask,
        number,
        "save",
        .ended(number % 50 == 0 ? "expired" : "finished")
      )
      if number % 17 == 0 {
        story.sleep(.seconds(pause * 3))
        story.input(.systemDidWake, from: 3)
      } else {
        story.wait(.seconds(pause * Double.random(in: 0.1...0.8, using: &random)))
      }
      if number % 5 == 0 { story.suppress(.didBecomeActive, from: 2, .masked) }
      if number % 90 == 0 { story.input(.didReceiveMemoryWarning, from: 4) }
      if number % 400 == 0 { story.note("checkpoint \(number)") }
      story.comeBack(from: 1)
    }
    story.end(from: 1)
    return story
  }

  /// Countdowns that never end, a second after the other, and the end.
  static func countdowns(_ count: Int) -> Story {
    var story = Story()
    for id in 1...count {
      story.activity(.countdown, id, "rental", .began)
      story.wait(.seconds(1))
    }
    story.add(.ended)
    return story
  }

  /// Texts that would do harm where they are not escaped.
  static var hostile: Story {
    var story = Story("/bin/<script>alert(1)</script>\"'&", id: -1)
    story.connect(1, "</script><script>throw 1</script>")
    story.connect(2, "\u{1B}[31mred\u{7}\u{202E}reversed\u{0}")
    story.connect(3, "漢字の名前がとても長い場合でも大丈夫です 🏴󠁧󠁢󠁥󠁮󠁧󠁿👩‍👩‍👧")
    story.launch(from: 1)
    story.wait(.seconds(3))
    story.note("]]> --> \" onload=\"x\" ' \\ \n\r\t \u{2028} &amp; \u{9B}31m")
    story.input(
      "<img src=x onerror=alert(1)>",
      from: 1,
      metadata: ["</td>": "${1}`\u{1B}]0;title\u{7}"]
    )
    story.activity(.backgroundTask, 1, "\u{1B}[2J" + String(repeating: "W", count: 400), .began)
    story.wait(.seconds(4))
    story.suppress(.didBecomeActive, from: 3, .duplicate)
    return story
  }

  /// Runs that end each in its own way: by themselves, by a kill, after a reboot, and not at all.
  static var runs: [FlightRecording] {
    var first = Story()
    first.launch()
    first.wait(.seconds(20))
    first.end()
    var second = Story(id: 4_802, at: .seconds(128), wall: .seconds(1_768_469_228))
    second.launch()
    second.activity(.backgroundTask, 1, "upload", .began)
    second.wait(.seconds(31))
    second.leave()
    var third = Story(id: 313, boot: "boot-2", at: .seconds(7), wall: .seconds(1_768_469_290))
    third.launch()
    third.wait(.seconds(25))
    third.leave()
    third.wait(.seconds(25))
    third.note("still running")
    return [first, second, third].map(\.recording)
  }
}

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

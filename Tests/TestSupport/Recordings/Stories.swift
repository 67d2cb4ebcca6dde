import LifecycleCore
package import LifecycleFlightRecording

extension Story {
  /// Half a minute, the smallest life: launched, away, back, ended.
  package static var short: Story {
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
  package static var rental: Story {
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
  package static func week(records: Int, seed: UInt64 = 1) -> Story {
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
  package static func countdowns(_ count: Int) -> Story {
    var story = Story()
    for id in 1...count {
      story.activity(.countdown, id, "rental", .began)
      story.wait(.seconds(1))
    }
    story.add(.ended)
    return story
  }

  /// Texts that would do harm where they are not escaped.
  package static var hostile: Story {
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
  package static var runs: [FlightRecording] {
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

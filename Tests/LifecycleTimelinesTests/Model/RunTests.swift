import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleTimelines

@Suite("The runs of a timeline")
struct RunTests {
  private func starts(of timeline: LifecycleTimeline) -> [Duration] {
    timeline.lanes(.process).flatMap(\.spans).map(\.start)
  }

  @Test("A run without an end was killed, unless it is the last one")
  func runs() {
    let timeline = LifecycleTimeline(Story.runs)
    expectNoDifference(
      timeline.lines(.process),
      [
        "0.0–20.0 row 0: rental 4711, 20 s, ended",
        "28.0–59.0 row 0: rental 4802, 31 s, killed",
        "90.0–140.0 row 0: rental 313, 50 s, no end recorded: still running, or killed",
        "20.0 ended: the bus ended",
        "59.0 killed: rental 4802 was killed: its recording has no end",
      ]
    )
    // For a kill there is no record.
    let last = Story.runs[0].records.count - 1
    expectNoDifference(timeline.lanes(.process)[0].marks.map(\.record), [last, nil])
    #expect(timeline.facts.contains("3 runs") && timeline.facts.contains("1 killed"))
  }

  @Test("Runs of one boot have their distance by the continuous clock, not by a set wall clock")
  func setClock() {
    var first = Story()
    first.wait(.seconds(20))
    first.end()
    let second = Story(at: .seconds(128), wall: .seconds(1_768_469_228 + 3_600))
    let timeline = LifecycleTimeline([first, second].map(\.recording))
    expectNoDifference(starts(of: timeline), [.zero, .seconds(28)])
  }

  @Test("A later recording of the same process continues its run and its activities")
  func secondHead() {
    var first = Story(sources: [FlightSource(id: 1, name: "signals")])
    first.observe(1)
    first.launch()
    first.activity(.backgroundTask, 1, "upload", .began)
    first.leave()
    first.wait(.seconds(4))
    first.note("last before the gap")
    let signals = FlightSource(id: 1, name: "signals", phase: .background)
    var second = Story(at: .seconds(110), phase: .background, sources: [signals], dropped: 15)
    second.wait(.seconds(10))
    second.activity(.backgroundTask, 1, "upload", .ended("finished"))
    let recordings = [first.recording, second.recording]
    expectNoDifference(recordings[0].records.count, 13)
    let timeline = LifecycleTimeline(recordings)
    expectNoDifference(timeline.facts, ["20 s", "1 run", "14 records"])
    expectNoDifference(
      timeline.lines(.process) + timeline.lines(.phase) + timeline.lines(.background)
        + timeline.lines(.backgroundTasks) + timeline.lines(.observers)
        + timeline.lines(.source, name: "signals"),
      [
        """
        0.0–20.0 row 0: rental 4711, 20 s, no end recorded: still running, or killed, 2 records \
        dropped
        """,
        "0.0–4.0 row 0: background for 4 s", "10.0–20.0 row 0: background for 10 s",
        "0.0–20.0 row 0: in the background for 20 s or longer",
        "0.0–20.0 row 0: background task \"upload\": finished, 20 s",
        "0.0–20.0 row 0: 1 observer",
        "0.0–20.0 row 0: signals connected for 20 s as application",
      ]
    )
    for other in [Story(id: 9, at: .seconds(110), dropped: 1), Story(at: .seconds(110))] {
      #expect(LifecycleTimeline([first.recording, other.recording]).facts.contains("1 killed"))
    }
  }

  @Test("A part that begins in the background, after one that ended in the foreground, is a stay")
  func secondHeadInBackground() {
    var first = Story()
    first.launch()
    first.wait(.seconds(5))
    first.note("last before the gap")
    var second = Story(at: .seconds(110), phase: .background, dropped: 9)
    second.wait(.seconds(10))
    second.note("last")
    expectNoDifference(
      LifecycleTimeline([first, second].map(\.recording)).lines(.background),
      ["10.0–20.0 row 0: in the background for 10 s or longer"]
    )
  }

  @Test("A run whose clocks contradict the one before begins where that ends")
  func contradiction() {
    let first = Story.short.recording
    let later = Story(boot: "boot-1", at: .seconds(1)).recording
    let reset = Story(boot: nil, wall: .seconds(0)).recording
    let timeline = LifecycleTimeline([first, later, reset])
    expectNoDifference(starts(of: timeline), [.zero, .seconds(30), .seconds(30)])
  }

  @Test("Damaged lines of a part are not counted as dropped records")
  func damagedPart() {
    var first = Story().recording
    first.damaged = 2
    let second = Story(at: .seconds(110), dropped: 2).recording
    expectNoDifference(
      LifecycleTimeline([first, second]).lines(.process),
      ["0.0–10.0 row 0: rental 4711, 10 s, no end recorded: still running, or killed"]
    )
  }
}

import LifecycleCore
import LifecycleFlightRecording

extension FlightFile {
  /// A file with this recording, without damage.
  init(_ recordings: FlightRecording...) {
    let bytes = recordings.flatMap(\.jsonLines)
    self = try! FlightFile(parsing: bytes)
    self.recordings = recordings
    damage = []
  }
}

extension FlightRecording {
  /// A recording with a line of each kind.
  static let sample: FlightRecording = {
    func instant(_ seconds: Int64) -> LifecycleInstant {
      LifecycleInstant(
        continuous: .boot + .seconds(seconds),
        timeAwake: .seconds(seconds - 3),
        timeSince1970: .seconds(1_767_225_600 + seconds)
      )
    }
    let signals = FlightSource(id: 1, name: "processSignals", phase: .inactive)
    let window = FlightSource(
      id: 2,
      name: "scenes",
      role: .participant("window 2"),
      whole: 1,
      phase: .active
    )
    let stay = BackgroundStay(
      from: LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero),
      to: LifecycleInstant(
        continuous: .boot + .seconds(90),
        timeAwake: .seconds(30),
        timeSince1970: .seconds(-3_510)
      )
    )
    let event = LifecycleEvent(
      kind: .willEnterForeground,
      previousPhase: .background,
      phase: .inactive,
      sequenceNumber: 7,
      instant: instant(11),
      origin: .source("processSignals"),
      backgroundStay: stay,
      metadata: ["signal": "SIGCONT"]
    )
    let contents: [FlightRecord.Content] = [
      .connected(FlightSource(id: 3, name: "focus", role: .ceiling, phase: .active)),
      .input(FlightInput(.willEnterForeground, from: 1, metadata: ["signal": "SIGCONT"])),
      .event(event), .input(FlightInput(.didBecomeActive, from: 0, suppressed: .duplicate)),
      .observerAdded(
        observer: 4,
        .init(scope: "list", fileID: "App/List.swift", line: 12)
      ),
      .observerRemoved(observer: 4),
      .activity(FlightActivity(.countdown, id: 1, name: "rental", .began)),
      .activity(FlightActivity(.backgroundTask, id: 2, name: "upload", .ended("expired"))),
      .note("payment accepted"), .disconnected(source: 3),
      .overrun(.willEnterForeground, .init(scope: "list", fileID: "App/List.swift", line: 12)),
      .ended,
    ]
    return FlightRecording(
      process: .init(
        name: "rental",
        id: 4242,
        bootID: "8a5f",
        version: "2.1 (40)",
        run: "1f8xk2v0q7d3m"
      ),
      start: .init(
        at: instant(10),
        phase: .background,
        program: .background,
        sources: [signals, window],
        dropped: 5
      ),
      records: contents.map { FlightRecord($0, at: instant(12)) }
    )
  }()
}

/// The lines of the sample.
let sampleLines = #"""
  {"boot":"8a5f","continuous":10000000000,"dropped":5,"format":"lifecycle-recording","phase":"background","pid":4242,"process":"rental","program":"background","programVersion":"2.1 (40)","run":"1f8xk2v0q7d3m","sources":[{"name":"processSignals","phase":"inactive","role":"application","source":1},{"name":"scenes","participant":"window 2","phase":"active","role":"participant","source":2,"whole":1}],"suspending":7000000000,"version":1,"wall":1767225610000000000}
  {"continuous":12000000000,"name":"focus","number":5,"phase":"active","record":"connected","role":"ceiling","run":"1f8xk2v0q7d3m","source":3,"suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"kind":"willEnterForeground","metadata":{"signal":"SIGCONT"},"number":6,"record":"input","run":"1f8xk2v0q7d3m","source":1,"suspending":9000000000,"wall":1767225612000000000}
  {"asleep":60000000000,"away":90000000000,"clockShift":-3600000000000,"continuous":12000000000,"inputContinuous":11000000000,"inputSuspending":8000000000,"inputWall":1767225611000000000,"kind":"willEnterForeground","metadata":{"signal":"SIGCONT"},"number":7,"origin":"source(processSignals)","phase":"inactive","previousPhase":"background","record":"event","run":"1f8xk2v0q7d3m","sequenceNumber":7,"suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"kind":"didBecomeActive","number":8,"record":"input","run":"1f8xk2v0q7d3m","source":0,"suppressed":"duplicate","suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"file":"App/List.swift","line":12,"number":9,"observer":4,"record":"observerAdded","run":"1f8xk2v0q7d3m","scope":"list","suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"number":10,"observer":4,"record":"observerRemoved","run":"1f8xk2v0q7d3m","suspending":9000000000,"wall":1767225612000000000}
  {"activity":"countdown","change":"began","continuous":12000000000,"id":1,"name":"rental","number":11,"record":"activity","run":"1f8xk2v0q7d3m","suspending":9000000000,"wall":1767225612000000000}
  {"activity":"backgroundTask","change":"ended","continuous":12000000000,"id":2,"name":"upload","number":12,"outcome":"expired","record":"activity","run":"1f8xk2v0q7d3m","suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"number":13,"record":"note","run":"1f8xk2v0q7d3m","suspending":9000000000,"text":"payment accepted","wall":1767225612000000000}
  {"continuous":12000000000,"number":14,"record":"disconnected","run":"1f8xk2v0q7d3m","source":3,"suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"file":"App/List.swift","kind":"willEnterForeground","line":12,"number":15,"record":"overrun","run":"1f8xk2v0q7d3m","scope":"list","suspending":9000000000,"wall":1767225612000000000}
  {"continuous":12000000000,"number":16,"record":"ended","run":"1f8xk2v0q7d3m","suspending":9000000000,"wall":1767225612000000000}

  """#

import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import Testing

extension FindingTests {
  @Test("A later part of a run is no killed run, and what was under way can end in it")
  func continuedRun() throws {
    let first = recording(
      .activity(FlightActivity(.fetch, id: 1, name: "news", .began)),
      .observerAdded(observer: 1, location),
      .note("a second between the others"),
      .observerAdded(observer: 2, location),
      .note("a second between the others"),
      .observerAdded(observer: 3, location)
    )
    var second = recording(
      at: 6,
      .activity(FlightActivity(.fetch, id: 1, name: "news", .ended("noData"))),
      .observerRemoved(observer: 1),
      event(.willTerminate, .background, .terminated)
    )
    second.start.dropped = 6
    func findings(_ parts: FlightRecording...) throws -> [FlightFinding] {
      try FlightFile(parsing: parts.flatMap(\.jsonLines)).findings()
    }
    expectNoDifference(try findings(first, second), [])
    second.start.dropped = 10
    expectNoDifference(try findings(first, second).map(\.content), [.droppedRecords(4)])
    second.process.id = 2
    expectNoDifference(
      try findings(first, second).map(\.run),
      [1, 1, 1, 2]
    )
    var open = recording(at: 6, .note("later"))
    open.start.dropped = 6
    expectNoDifference(
      try findings(first, open, recording()).map(\.content),
      [
        .noEnd(.fetch, name: "news"), .remainingObservers(location), .noTermination,
        .noTermination,
      ]
    )
    expectNoDifference(try findings(first, open, recording()).map(\.run), [1, 1, 1, 2])
  }

  @Test("The sources of a later part have their names, and the records before it are counted")
  func sourcesOfPart() throws {
    let first = recording(.note("a"))
    var second = recording(at: 3, input(.didBecomeActive, 1, .disconnected), .ended)
    second.start.sources = [FlightSource(id: 1, name: "signals")]
    second.start.dropped = 3
    let file = try FlightFile(parsing: first.jsonLines + second.jsonLines)
    expectNoDifference(
      file.findings().map(\.description),
      [
        "The recording is not complete: 2 records before this were dropped.",
        "signals reported didBecomeActive after its connection, or the bus, had ended.",
      ]
    )
  }

  @Test("A finding in two parts of a run is one, with the count of both")
  func findingInTwoParts() throws {
    let warning = event(.didReceiveMemoryWarning, .active, .active)
    let first = recording(warning, warning)
    var second = recording(at: 2, warning, .ended)
    second.start.dropped = 2
    let file = try FlightFile(parsing: first.jsonLines + second.jsonLines)
    expectNoDifference(file.findings().map(\.content), [.memoryWarning])
    expectNoDifference(file.findings().map(\.count), [3])
  }

  @Test("The findings of a file have the numbers of its runs, after its damaged lines")
  func file() throws {
    var first = recording(.ended)
    first.start.dropped = 7
    let damaged = [UInt8]("{\"oops\n".utf8)
    let file = try FlightFile(parsing: first.jsonLines + damaged + recording().jsonLines)
    let findings = file.findings()
    expectNoDifference(findings.map(\.run), [0, 1, 2])
    expectNoDifference(findings.map(\.instant), [nil, instant(0), instant(0)])
    #expect("\(findings[0])".hasPrefix("Line 3: "))
    expectNoDifference(
      findings.dropFirst().map(\.content),
      [.droppedRecords(7), .noTermination]
    )
  }
}

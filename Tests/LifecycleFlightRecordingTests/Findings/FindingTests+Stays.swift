import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import Testing

extension FindingTests {
  /// What may come after three seconds in the background.
  private var ends: [[FlightRecord.Content]] {
    let termination = event(.willTerminate, .background, .terminated)
    return [[.note("killed")], [.ended], [termination], [termination, .ended]]
  }

  private func stays(_ recording: FlightRecording) -> [FlightFinding.Content] {
    recording.findings(stayLimit: .seconds(2)).map(\.content).filter { $0 != .noTermination }
  }

  @Test("A stay that no return ends is counted until a kill, the end of the bus, or willTerminate")
  func stayWithoutReturn() {
    for end in ends {
      var life = recording(event(.didEnterBackground, .inactive, .background), .note("a"))
      life.records += recording(at: 3, .note("b")).records
      let last = recording(at: 3).start.instant
      life.records += end.map { FlightRecord($0, at: last) }
      expectNoDifference(stays(life), [.longStay(longest: .seconds(3))], "\(end)")
      expectNoDifference(
        life.findings(stayLimit: .seconds(3)).filter { $0.content != .noTermination },
        [],
        "\(end)"
      )
    }
  }

  @Test("A stay that began before the recording is counted, from the start if no return tells more")
  func stayFromBefore() {
    for end in ends {
      var life = recording()
      life.start.phase = .background
      let last = recording(at: 3).start.instant
      life.records = end.map { FlightRecord($0, at: last) }
      expectNoDifference(stays(life), [.longStay(longest: .seconds(3))], "\(end)")
    }
    var life = recording(.note("a"), .note("b"), .note("c"), stay(100), .ended)
    life.start.phase = .background
    expectNoDifference(stays(life), [.longStay(longest: .seconds(100))])
  }

  @Test("A process that is in the foreground at the end has no stay under way")
  func returned() {
    var life = recording(
      event(.didEnterBackground, .inactive, .background),
      event(.didBecomeActive, .inactive, .active),
      .note("a"),
      .note("b"),
      .note("c")
    )
    expectNoDifference(stays(life), [])
    life.start.phase = .background
    life.records.removeFirst()
    expectNoDifference(stays(life), [])
  }

  @Test("Where records were dropped in a stay, its parts are not added, and a return tells all")
  func droppedInStay() throws {
    let first = recording(event(.didEnterBackground, .inactive, .background), .note("a"))
    func stays(until end: Double, _ last: FlightRecord.Content) throws -> [Duration] {
      var second = recording(at: 10, .note("b"))
      second.records.append(FlightRecord(last, at: instant(end)))
      (second.start.dropped, second.start.phase) = (9, .background)
      let file = try FlightFile(parsing: first.jsonLines + second.jsonLines)
      return file.findings(stayLimit: .milliseconds(500)).compactMap { finding in
        expectNoDifference(finding.count, 1)
        return if case .longStay(let longest) = finding.content { longest } else { nil }
      }
    }
    expectNoDifference(try stays(until: 15, .note("killed")), [.seconds(5)])
    expectNoDifference(try stays(until: 10, .ended), [.seconds(1)])
    expectNoDifference(try stays(until: 12, stay(12)), [.seconds(12)])
    var second = recording(at: 10, .ended)
    (second.start.dropped, second.start.phase) = (9, .active)
    let file = try FlightFile(parsing: first.jsonLines + second.jsonLines)
    expectNoDifference(
      file.findings(stayLimit: .milliseconds(500)).map(\.content),
      [.longStay(longest: .seconds(1)), .droppedRecords(7)]
    )
  }
}

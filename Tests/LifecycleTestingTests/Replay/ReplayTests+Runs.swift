import CustomDump
import LifecycleCombine
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension ReplayTests {
  @Test("Several runs: one without an end is killed, and a new boot restarts the device")
  func severalRuns() {
    let first = recordedLife()
    var second = recordedLife()
    second.process.bootID = BootID(rawValue: "another")
    let lifecycle = ScriptedLifecycle(replaying: [first, second]) { process in
      _ = process.clock.schedule(at: process.clock.continuous + .seconds(1_000)) {
        Issue.record("The timer of a killed process fired.")
      }
    }
    lifecycle.replay()
    expectNoDifference(
      lifecycle.recordings.map(\.transcript),
      [first.transcript, second.transcript]
    )
    expectNoDifference(lifecycle.clock.now, second.end)
    #expect(lifecycle.clock.bootID != first.process.bootID)
  }

  @Test("A pause between the last record of a run and a restart ends after the restart")
  func pauseBeforeRestart() {
    let first = recordedLife()
    var second = recordedLife()
    second.process.bootID = BootID(rawValue: "another")
    // It begins half a minute after its boot, and a good quarter of an hour after the first one.
    let old = second.start.instant
    let (sinceBoot, wall) = (Duration.seconds(30), first.end.timeSince1970 + .seconds(1_000))
    func shift(_ instant: inout LifecycleInstant) {
      instant.continuous = .boot + sinceBoot + (instant.continuous - old.continuous)
      instant.timeAwake += sinceBoot - old.timeAwake
      instant.timeSince1970 += wall - old.timeSince1970
    }
    shift(&second.start.instant)
    for index in second.records.indices { shift(&second.records[index].instant) }
    let launches = Counter()
    let lifecycle = ScriptedLifecycle(replaying: [first, second]) { _ in launches.add() }
    let end = first.start.instant.continuous.duration(to: first.end.continuous)
    lifecycle.replay(until: end + .seconds(1))
    #expect(lifecycle.clock.bootID != first.process.bootID)
    expectNoDifference(lifecycle.clock.now, second.start.instant)
    expectNoDifference(launches.count, 1)
    lifecycle.replay()
    expectNoDifference(launches.count, 2)
    expectNoDifference(lifecycle.recordings.map(\.transcript), [first, second].map(\.transcript))
  }

  @Test("The journals of a replayed process are in the file system of the test, on both buses")
  func fileSystem() throws {
    let (recording, files) = (recordedLife(), InMemoryFileSystem())
    let fileSystem = JournalFileSystem.inMemory(files)
    ScriptedLifecycle(replaying: recording, fileSystem: fileSystem) {
      _ = try LifecycleJournal(at: "main", of: $0.bus, fileSystem: $0.fileSystem)
    }.replay()
    NonisolatedScriptedLifecycle(replaying: recording, fileSystem: fileSystem) {
      _ = try LifecycleJournal(at: "nonisolated", of: $0.bus, fileSystem: $0.fileSystem)
    }.replay()
    expectNoDifference(files.paths, ["main", "nonisolated"])
  }

  @Test(
    "Between two runs there is no process, whether or not the replay pauses there",
    arguments: [false, true]
  )
  func pauseBetweenRuns(isTerminated: Bool) throws {
    let first = recordedLife(isTerminated: isTerminated)
    var second = first
    second.process.id += 1
    let shift = Duration.seconds(1_000)
    second.start.instant = second.start.instant.advanced(by: shift)
    second.records = second.records.map { record in
      var record = record
      record.instant = record.instant.advanced(by: shift)
      return record
    }
    let subject = PassthroughSubject<Int, Never>()
    var recorders: [LifecycleRecorder<Int, Never>] = []
    var journals: [LifecycleJournal] = []
    let lifecycle = ScriptedLifecycle(replaying: [first, second]) { process in
      process.keep(
        process.clock.schedule(at: process.clock.continuous + .seconds(500)) {
          Issue.record("The timer of a process that has ended fired.")
        }
      )
      recorders.append(process.record(subject, as: "subject"))
      journals.append(
        try LifecycleJournal(at: "journal", of: process.bus, fileSystem: process.fileSystem)
      )
    }
    let end = first.start.instant.continuous.duration(to: first.end.continuous)
    lifecycle.replay(until: end)
    expectNoDifference(lifecycle.bus.phase, isTerminated ? .terminated : .active)
    expectNoDifference(lifecycle.recordings.count, 1)
    lifecycle.replay(until: .seconds(600))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(600))
    subject.send(1)
    expectNoDifference(recorders.map(\.elements), [[]])
    try journals[0].set("late", forKey: "key")
    lifecycle.replay()
    expectNoDifference(lifecycle.recordings.count, 2)
    expectNoDifference(lifecycle.clock.now, second.end)
    #expect(try journals[1].value(String.self, forKey: "key") == nil)
  }
}

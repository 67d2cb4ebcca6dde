import CustomDump
import LifecycleSupport
import ReactiveLifecycle
import Testing

@testable import TestSupport

@Suite("Turns of tests that start processes")
struct ProcessTurnsTests {
  private final class Counts: Sendable {
    let state = Locked((running: 0, most: 0, ended: 0))
  }

  @Test("There are never more at the same time than there are turns, and each has its turn")
  func neverMoreAtOnceThanThereAreTurns() async {
    let turns = ProcessTurns(count: 2)
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await turns.begin()
          counts.state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
          }
          await Task.yield()
          counts.state.withLock { state in
            state.running -= 1
            state.ended += 1
          }
          turns.end()
        }
      }
    }
    let (running, most, ended) = counts.state.withLock { $0 }
    expectNoDifference(running, 0)
    #expect((1...2).contains(most))
    expectNoDifference(ended, 50)
  }

  @Test("One that is alone has all turns, and is not overtaken")
  func alone() async {
    let turns = ProcessTurns(count: 2)
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        let isAlone = index.isMultiple(of: 5)
        group.addTask {
          await turns.begin(alone: isAlone)
          let running = counts.state.withLock { state in
            state.running += isAlone ? 2 : 1
            return state.running
          }
          #expect(running <= 2)
          await Task.yield()
          counts.state.withLock { state in
            state.running -= isAlone ? 2 : 1
            state.ended += 1
          }
          turns.end(alone: isAlone)
        }
      }
    }
    expectNoDifference(counts.state.withLock { $0.ended }, 50)
    expectNoDifference(turns.waitingCount, 0)
  }

  @Test("One that waits for all turns is not overtaken")
  func order() async {
    let turns = ProcessTurns(count: 2)
    let trace = Trace()
    await turns.begin()
    await withTaskGroup(of: Void.self) { group in
      for (index, name) in ["alone", "next"].enumerated() {
        group.addTask {
          await turns.begin(alone: name == "alone")
          trace(name)
          turns.end(alone: name == "alone")
        }
        while turns.waitingCount <= index { await Task.yield() }
      }
      turns.end()
    }
    expectNoDifference(trace.lines, ["alone", "next"])
  }

  @Test("What comes too late is tried again with twice the time, six times in all")
  func tooLate() throws {
    var times: [Int] = []
    var reports = 0
    try withEnoughTime(3, report: { _ in reports += 1 }) { time in
      times.append(time)
      try requireInTime(time >= 12, true)
    }
    expectNoDifference(times, [3, 6, 12])
    expectNoDifference(reports, 2)
    times = []
    #expect(throws: TooLate.self) {
      try withEnoughTime(1, report: { _ in }) { time in
        times.append(time)
        throw TooLate("nothing")
      }
    }
    expectNoDifference(times, [1, 2, 4, 8, 16, 32])
    var attempts = 0
    #expect(throws: TooLate.self) {
      try untilInTime(report: { _ in }) {
        attempts += 1
        throw TooLate("nothing")
      }
    }
    expectNoDifference(attempts, 6)
  }
}

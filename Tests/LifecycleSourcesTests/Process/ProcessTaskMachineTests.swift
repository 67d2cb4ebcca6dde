import LifecycleSources
import Testing

@Suite("Tasks of the process, the machine")
struct ProcessTaskMachineTests {
  private let start = SuspendingClock.now

  private func at(_ seconds: Double) -> SuspendingClock.Instant { start + .seconds(seconds) }

  @Test("Without a wait everything is granted, and nobody's time is up")
  func withoutWait() {
    var machine = ProcessTaskMachine()
    #expect(machine.begin(.init(grace: .zero), at: at(0)) == 1)
    #expect(machine.expire(at: at(100)) == [])
    #expect(machine.finish(at: at(100), waitingSince: at(0)) == true, "nothing delays the process")
    #expect(machine.nextDeadline(waitingSince: nil) == nil)
    #expect(machine.remainingTime(of: .init(grace: .seconds(5)), at: at(100)) == .seconds(5))
  }

  @Test("Each task has the grace of its host, from the announcement on")
  func graceOfEachTask() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(5)), at: at(0))
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(10))
    #expect(machine.nextDeadline(waitingSince: nil) == at(11))
    #expect(machine.expire(at: at(10.9)) == [])
    #expect(machine.expire(at: at(11)) == [2])
    #expect(machine.expire(at: at(11)) == [], "once")
    #expect(machine.nextDeadline(waitingSince: nil) == at(15))
    #expect(machine.begin(.init(grace: .seconds(1)), at: at(11)) == nil, "that grace is over")
    #expect(machine.begin(.init(grace: .seconds(5)), at: at(11)) == 3)
    #expect(machine.remainingTime(of: .init(grace: .seconds(5)), at: at(12)) == .seconds(3))
    #expect(machine.remainingTime(of: .init(grace: .seconds(1)), at: at(12)) == .zero)
    #expect(machine.expire(at: at(15)) == [1, 3], "in the order of their beginnings")
  }

  @Test("The process waits until handlers have returned")
  func waitsForHandlers() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    #expect(machine.finish(at: at(1), waitingSince: at(0)) == false)
    #expect(machine.expire(at: at(1)) == [1])
    #expect(machine.beginHandler(of: 1) == true)
    machine.end(1)
    #expect(machine.finish(at: at(1.1), waitingSince: at(0)) == false, "it runs")
    machine.finishHandler(of: 1)
    #expect(machine.finish(at: at(1.1), waitingSince: at(0)) == true)
    #expect(machine.count == 0)
  }

  @Test("A handler is not called after its task has ended")
  func endedBeforeTheHandler() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    #expect(machine.expire(at: at(1)) == [1])
    machine.end(1)
    #expect(machine.beginHandler(of: 1) == false)
    #expect(machine.finish(at: at(1), waitingSince: at(0)) == true)
  }

  @Test("Handlers have half a second, from the end of all else on")
  func lateHandlers() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    _ = machine.expire(at: at(1))
    // Observers have kept the main thread until now.
    #expect(machine.nextDeadline(waitingSince: at(3)) == at(3.5))
    #expect(machine.finish(at: at(3.4), waitingSince: at(3)) == false)
    #expect(machine.finish(at: at(3.5), waitingSince: at(3)) == true)
    machine.endGrace()
    // The next stop leaves it behind at once.
    machine.startGrace(of: .stop, at: at(10))
    #expect(machine.expire(at: at(20)) == [])
    #expect(machine.finish(at: at(10), waitingSince: at(10)) == true)
    machine.endGrace()
    #expect(
      machine.beginHandler(of: 1) == true,
      "called all the same, once the main thread is free"
    )
  }

  @Test("A task that is late does not hide one that has time")
  func lateAndOpen() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    _ = machine.begin(.init(grace: .seconds(5)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    _ = machine.expire(at: at(1))
    #expect(machine.finish(at: at(3), waitingSince: at(0)) == false)
    // Not in the past: the engine would wait for nothing, again and again.
    #expect(machine.nextDeadline(waitingSince: at(0)) == at(5))
    machine.end(2)
    #expect(machine.finish(at: at(3), waitingSince: at(0)) == true)
  }

  @Test("When the process stops nothing is granted, until it goes on")
  func nothingIsGrantedWhileStopped() {
    var machine = ProcessTaskMachine()
    machine.startGrace(of: .stop, at: at(0))
    #expect(machine.finish(at: at(0), waitingSince: at(0)) == true)
    #expect(machine.begin(.init(grace: .seconds(5)), at: at(0)) == nil)
    #expect(machine.remainingTime(of: .init(grace: .seconds(5)), at: at(0)) == .zero)
    machine.endGrace()
    #expect(machine.begin(.init(grace: .seconds(5)), at: at(9)) == 1)
  }

  @Test("A stop that is taken back leaves tasks alone, and the next one counts anew")
  func takenBack() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    machine.endGrace()
    #expect(machine.expire(at: at(5)) == [])
    machine.startGrace(of: .stop, at: at(10))
    #expect(machine.expire(at: at(10.9)) == [])
    #expect(machine.expire(at: at(11)) == [1])
  }

  @Test("The longest delay of the end is that of the open task that has the most time left")
  func longestDelayOfEnd() {
    var machine = ProcessTaskMachine()
    #expect(machine.longestDelayOfEnd(at: at(0)) == nil)
    _ = machine.begin(.init(grace: .seconds(2)), at: at(0))
    let longest = machine.begin(.init(grace: .seconds(5), occasions: [.end]), at: at(0))
    #expect(machine.longestDelayOfEnd(at: at(9)) == .seconds(5))
    machine.startGrace(of: .end, at: at(10))
    #expect(machine.longestDelayOfEnd(at: at(11)) == .seconds(4))
    machine.end(longest!)
    #expect(machine.longestDelayOfEnd(at: at(11)) == .seconds(1))
  }

  @Test("A task that delays only the end lets a stop happen, and does not expire by it")
  func delaysOnlyTheEnd() {
    let grant = ProcessTaskMachine.Grant(grace: .seconds(1), occasions: [.end])
    var machine = ProcessTaskMachine()
    _ = machine.begin(grant, at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    #expect(machine.nextDeadline(waitingSince: nil) == nil)
    #expect(machine.remainingTime(of: grant, at: at(5)) == .seconds(1))
    #expect(machine.expire(at: at(5)) == [])
    #expect(machine.finish(at: at(5), waitingSince: at(5)) == true)
    #expect(machine.begin(grant, at: at(5)) == 2, "granted, for it has no part in the stop")
    machine.endGrace()
    machine.startGrace(of: .end, at: at(10))
    #expect(machine.finish(at: at(10), waitingSince: at(10)) == false)
    #expect(machine.nextDeadline(waitingSince: at(10)) == at(11))
    #expect(machine.expire(at: at(11)) == [1, 2])
  }

  @Test("Tasks of both kinds: the stop waits for one, the end for both")
  func bothKinds() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(9), occasions: [.end]), at: at(0))
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    #expect(machine.nextDeadline(waitingSince: at(0)) == at(1))
    #expect(machine.expire(at: at(1)) == [2])
    #expect(machine.nextDeadline(waitingSince: at(0)) == at(1.5))
    #expect(machine.finish(at: at(1.5), waitingSince: at(0)) == true)
    machine.endGrace()
    machine.startGrace(of: .end, at: at(2))
    #expect(machine.expire(at: at(3)) == [], "expired once")
    #expect(machine.nextDeadline(waitingSince: at(3)) == at(11))
  }

  @Test("A task has delayed the end if it was open at its announcement, or began after that")
  func hasDelayedEnd() {
    let (stops, ends) = (
      ProcessTaskMachine.Grant(grace: .seconds(1), occasions: [.stop]),
      ProcessTaskMachine.Grant(grace: .seconds(1), occasions: [.end])
    )
    var machine = ProcessTaskMachine()
    _ = machine.begin(stops, at: at(0))
    let task = machine.begin(ends, at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    _ = machine.begin(ends, at: at(0)).map { machine.end($0) }
    #expect(!machine.hasDelayedEnd, "that is a stop")
    machine.endGrace()
    machine.startGrace(of: .end, at: at(1))
    #expect(machine.hasDelayedEnd)
    machine.end(task!)
    #expect(machine.hasDelayedEnd, "it has delayed the end, although it is over")
    machine.startGrace(of: .end, at: at(2))
    _ = machine.begin(stops, at: at(2))
    #expect(!machine.hasDelayedEnd, "nothing delays the end that is announced now")
    _ = machine.begin(ends, at: at(2))
    #expect(machine.hasDelayedEnd)
  }
}

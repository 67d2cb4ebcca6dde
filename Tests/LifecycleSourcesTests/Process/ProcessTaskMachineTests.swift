import CustomDump
import LifecycleSources
import Testing

@Suite("Tasks of the process, the machine")
struct ProcessTaskMachineTests {
  private let start = SuspendingClock.now

  private func at(_ seconds: Double) -> SuspendingClock.Instant { start + .seconds(seconds) }

  @Test("Without a wait everything is granted, and nobody's time is up")
  func withoutWait() {
    var machine = ProcessTaskMachine()
    expectNoDifference(machine.begin(.init(grace: .zero), at: at(0)), 1)
    expectNoDifference(machine.expire(at: at(100)), [])
    expectNoDifference(
      machine.finish(at: at(100), waitingSince: at(0)),
      true,
      "nothing delays the process"
    )
    expectNoDifference(machine.nextDeadline(waitingSince: nil), nil)
    expectNoDifference(
      machine.remainingTime(of: .init(grace: .seconds(5)), at: at(100)),
      .seconds(5)
    )
  }

  @Test("Each task has the grace of its host, from the announcement on")
  func graceOfEachTask() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(5)), at: at(0))
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(10))
    expectNoDifference(machine.nextDeadline(waitingSince: nil), at(11))
    expectNoDifference(machine.expire(at: at(10.9)), [])
    expectNoDifference(machine.expire(at: at(11)), [2])
    expectNoDifference(machine.expire(at: at(11)), [], "once")
    expectNoDifference(machine.nextDeadline(waitingSince: nil), at(15))
    expectNoDifference(
      machine.begin(.init(grace: .seconds(1)), at: at(11)),
      nil,
      "that grace is over"
    )
    expectNoDifference(machine.begin(.init(grace: .seconds(5)), at: at(11)), 3)
    expectNoDifference(
      machine.remainingTime(of: .init(grace: .seconds(5)), at: at(12)),
      .seconds(3)
    )
    expectNoDifference(machine.remainingTime(of: .init(grace: .seconds(1)), at: at(12)), .zero)
    expectNoDifference(machine.expire(at: at(15)), [1, 3], "in the order of their beginnings")
  }

  @Test("The process waits until handlers have returned")
  func waitsForHandlers() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    expectNoDifference(machine.finish(at: at(1), waitingSince: at(0)), false)
    expectNoDifference(machine.expire(at: at(1)), [1])
    expectNoDifference(machine.beginHandler(of: 1), true)
    machine.end(1)
    expectNoDifference(machine.finish(at: at(1.1), waitingSince: at(0)), false, "it runs")
    machine.finishHandler(of: 1)
    expectNoDifference(machine.finish(at: at(1.1), waitingSince: at(0)), true)
    expectNoDifference(machine.count, 0)
  }

  @Test("A handler is not called after its task has ended")
  func endedBeforeTheHandler() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    expectNoDifference(machine.expire(at: at(1)), [1])
    machine.end(1)
    expectNoDifference(machine.beginHandler(of: 1), false)
    expectNoDifference(machine.finish(at: at(1), waitingSince: at(0)), true)
  }

  @Test("Handlers have half a second, from the end of all else on")
  func lateHandlers() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    _ = machine.expire(at: at(1))
    // Observers have kept the main thread until now.
    expectNoDifference(machine.nextDeadline(waitingSince: at(3)), at(3.5))
    expectNoDifference(machine.finish(at: at(3.4), waitingSince: at(3)), false)
    expectNoDifference(machine.finish(at: at(3.5), waitingSince: at(3)), true)
    machine.endGrace()
    // The next stop leaves it behind at once.
    machine.startGrace(of: .stop, at: at(10))
    expectNoDifference(machine.expire(at: at(20)), [])
    expectNoDifference(machine.finish(at: at(10), waitingSince: at(10)), true)
    machine.endGrace()
    expectNoDifference(
      machine.beginHandler(of: 1),
      true,
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
    expectNoDifference(machine.finish(at: at(3), waitingSince: at(0)), false)
    // Not in the past: the engine would wait for nothing, again and again.
    expectNoDifference(machine.nextDeadline(waitingSince: at(0)), at(5))
    machine.end(2)
    expectNoDifference(machine.finish(at: at(3), waitingSince: at(0)), true)
  }

  @Test("When the process stops nothing is granted, until it goes on")
  func nothingIsGrantedWhileStopped() {
    var machine = ProcessTaskMachine()
    machine.startGrace(of: .stop, at: at(0))
    expectNoDifference(machine.finish(at: at(0), waitingSince: at(0)), true)
    expectNoDifference(machine.begin(.init(grace: .seconds(5)), at: at(0)), nil)
    expectNoDifference(machine.remainingTime(of: .init(grace: .seconds(5)), at: at(0)), .zero)
    machine.endGrace()
    expectNoDifference(machine.begin(.init(grace: .seconds(5)), at: at(9)), 1)
  }

  @Test("A stop that is taken back leaves tasks alone, and the next one counts anew")
  func takenBack() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    machine.endGrace()
    expectNoDifference(machine.expire(at: at(5)), [])
    machine.startGrace(of: .stop, at: at(10))
    expectNoDifference(machine.expire(at: at(10.9)), [])
    expectNoDifference(machine.expire(at: at(11)), [1])
  }

  @Test("The longest delay of the end is that of the open task that has the most time left")
  func longestDelayOfEnd() {
    var machine = ProcessTaskMachine()
    expectNoDifference(machine.longestDelayOfEnd(at: at(0)), nil)
    _ = machine.begin(.init(grace: .seconds(2)), at: at(0))
    let longest = machine.begin(.init(grace: .seconds(5), occasions: [.end]), at: at(0))
    expectNoDifference(machine.longestDelayOfEnd(at: at(9)), .seconds(5))
    machine.startGrace(of: .end, at: at(10))
    expectNoDifference(machine.longestDelayOfEnd(at: at(11)), .seconds(4))
    machine.end(longest!)
    expectNoDifference(machine.longestDelayOfEnd(at: at(11)), .seconds(1))
  }

  @Test("A task that delays only the end lets a stop happen, and does not expire by it")
  func delaysOnlyTheEnd() {
    let grant = ProcessTaskMachine.Grant(grace: .seconds(1), occasions: [.end])
    var machine = ProcessTaskMachine()
    _ = machine.begin(grant, at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    expectNoDifference(machine.nextDeadline(waitingSince: nil), nil)
    expectNoDifference(machine.remainingTime(of: grant, at: at(5)), .seconds(1))
    expectNoDifference(machine.expire(at: at(5)), [])
    expectNoDifference(machine.finish(at: at(5), waitingSince: at(5)), true)
    expectNoDifference(
      machine.begin(grant, at: at(5)),
      2,
      "granted, for it has no part in the stop"
    )
    machine.endGrace()
    machine.startGrace(of: .end, at: at(10))
    expectNoDifference(machine.finish(at: at(10), waitingSince: at(10)), false)
    expectNoDifference(machine.nextDeadline(waitingSince: at(10)), at(11))
    expectNoDifference(machine.expire(at: at(11)), [1, 2])
  }

  @Test("Tasks of both kinds: the stop waits for one, the end for both")
  func bothKinds() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(9), occasions: [.end]), at: at(0))
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    expectNoDifference(machine.nextDeadline(waitingSince: at(0)), at(1))
    expectNoDifference(machine.expire(at: at(1)), [2])
    expectNoDifference(machine.nextDeadline(waitingSince: at(0)), at(1.5))
    expectNoDifference(machine.finish(at: at(1.5), waitingSince: at(0)), true)
    machine.endGrace()
    machine.startGrace(of: .end, at: at(2))
    expectNoDifference(machine.expire(at: at(3)), [], "expired once")
    expectNoDifference(machine.nextDeadline(waitingSince: at(3)), at(11))
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

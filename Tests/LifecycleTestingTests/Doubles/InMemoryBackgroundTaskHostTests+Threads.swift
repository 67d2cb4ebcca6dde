import CustomDump
import LifecycleTesting
import TestSupport
import Testing

extension InMemoryBackgroundTaskHostTests {
  @Test("Several threads begin and end tasks on one host, and look at them")
  func severalThreadsUseOneHost() async {
    let host = InMemoryBackgroundTaskHost(clock: clock)
    let (refusals, unseen) = (Counter(), Counter())
    await awaitOtherThreads(5) { thread in
      for number in 0..<100 {
        let name = "\(thread) \(number)"
        if thread == 4 {
          host.isGranting.toggle()
        } else if let task = host.beginTask(named: name, onExpiration: {}) {
          if !host.openTasks.contains(name) { unseen.add() }
          host.endTask(task)
          if !host.operations.reversed().contains(.ended(name)) { unseen.add() }
        } else {
          refusals.add()
        }
      }
    }
    expectNoDifference(unseen.count, 0)
    let operations = Set(host.operations)
    expectNoDifference(host.operations.count, operations.count)
    expectNoDifference(operations.count, 2 * 400 - refusals.count)
    for thread in 0..<4 {
      for number in 0..<100 {
        let name = "\(thread) \(number)"
        let isRefused = operations.contains(.refused(name))
        #expect(operations.contains(.began(name)) == !isRefused)
        #expect(operations.contains(.ended(name)) == !isRefused)
      }
    }
    expectNoDifference(clock.timerCount, 0)
    host.expectNoOpenTasks()
  }

  @Test("Several threads expect no open tasks: each one that is open is reported once")
  func openTasksOfSeveralThreads() async {
    let names = (0..<4).map { "\($0)" }
    let failures = await failuresOfDouble {
      let host = InMemoryBackgroundTaskHost(clock: clock)
      await awaitOtherThreads(names.count) { thread in
        _ = host.beginTask(named: names[thread], onExpiration: {})
        host.expectNoOpenTasks()
      }
      _ = host.operations
    }
    expectNoDifference(
      failures.sorted(),
      names.map {
        """
        +4: The background task "\($0)" was still open when no open task was expected. End every \
        task: the system kills a process that leaves one open.
        """
      }
    )
  }
}

import CustomDump
import Dispatch
import Foundation
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import TestSupport
import Testing

@testable import LifecycleBackgroundWork

@MainActor
@Suite("Expiring activities")
struct ExpiringActivityTests {
  /// What calls the blocks of activities, as the system does: each call on a thread of its own.
  private final class System: Sendable {
    private let blocks = Locked<[ExpiringActivityHost.Block]>([])
    private let names = Locked<[String]>([])

    var reasons: [String] { names.withLock { $0 } }

    func perform(_ reason: String, _ block: @escaping ExpiringActivityHost.Block) {
      names.withLock { $0.append(reason) }
      blocks.withLock { $0.append(block) }
    }

    /// Calls the block of an activity, and returns when it has.
    func callHere(_ activity: Int, isExpired: Bool) {
      blocks.withLock { $0[activity] }(isExpired)
    }

    /// Calls the block of an activity; the call that is handed out waits until it has returned.
    func call(_ activity: Int = 0, isExpired: Bool) -> Task<Void, Never> {
      let block = blocks.withLock { $0[activity] }
      let (calls, continuation) = AsyncStream<Void>.makeStream()
      Thread {
        block(isExpired)
        continuation.finish()
      }.start()
      return Task { for await _ in calls {} }
    }
  }

  private let system = System()
  private let host: ExpiringActivityHost
  private let coordinator: BackgroundTaskCoordinator

  init() {
    host = ExpiringActivityHost { [system] in system.perform($0, $1) }
    coordinator = BackgroundTaskCoordinator(host: host)
  }

  @Test("The block of an activity returns when its task has ended")
  func blockHoldsTheActivity() {
    for number in 0..<20 {
      let task = coordinator.beginTask(named: "upload") { Issue.record("Its time is not up") }
      expectNoDifference(system.reasons.count, number + 1)
      #expect(task.isGranted)
      let isCalling = DispatchSemaphore(value: 0)
      Thread {
        isCalling.wait()
        task.end()
      }.start()
      isCalling.signal()
      system.callHere(number, isExpired: false)
      #expect(task.isEnded)
    }
    expectNoDifference(Set(system.reasons), ["upload"])
    expectNoDifference(coordinator.remainingTime, nil)
  }

  @Test("Five hundred tasks share one activity, and one thread, until the last of them ends")
  func fiveHundredTasksShareOneActivity() async throws {
    let ids = try (0..<500).map { number in
      try #require(host.beginTask(named: "task \(number)") { Issue.record("Its time is not up") })
    }
    expectNoDifference(system.reasons, ["task 0"])
    let call = system.call(isExpired: false)
    for id in ids.dropLast().shuffled() { host.endTask(id) }
    let last = try #require(host.beginTask(named: "another") {})
    expectNoDifference(system.reasons, ["task 0"])
    host.endTask(ids[499])
    host.endTask(ids[499])
    host.endTask(last)
    await call.value
    let next = try #require(host.beginTask(named: "next") {})
    expectNoDifference(system.reasons, ["task 0", "next"])
    host.endTask(next)
    await system.call(1, isExpired: false).value
  }

  @Test("When time is up the handlers of open tasks are called in order; then the calls return")
  func sharedExpiration() async throws {
    let log = Trace()
    let ended = Locked<BackgroundTaskID?>(nil)
    let ids = ["a", "b", "c", "d"].compactMap { name in
      host.beginTask(named: name) { [host] in
        log(name)
        // The handler of one task ends another one, whose handler is not called then.
        guard name == "b", let id = ended.withLock({ $0 }) else { return }
        host.endTask(id)
      }
    }
    try #require(ids.count == 4)
    ended.withLock { $0 = ids[2] }
    host.endTask(ids[0])
    let first = system.call(isExpired: false)
    await system.call(isExpired: true).value
    await first.value
    expectNoDifference(log.lines, ["b", "d"])
    // There is no time left to share.
    let next = try #require(host.beginTask(named: "next") { log("next") })
    expectNoDifference(system.reasons, ["a", "next"])
    await system.call(1, isExpired: true).value
    expectNoDifference(log.lines, ["b", "d", "next"])
    for id in ids + [next] { host.endTask(id) }
  }

  @Test("Each call of a block returns while four threads begin and end tasks")
  func severalThreads() async {
    let (activities, tasks, calls) = (Counter(), Counter(), DispatchGroup())
    let host = ExpiringActivityHost { _, block in
      activities.add()
      calls.enter()
      Thread {
        block(false)
        calls.leave()
      }.start()
    }
    await awaitOtherThreads(4) { _ in
      for _ in 0..<50 {
        guard let id = host.beginTask(named: "upload", onExpiration: {}) else { continue }
        tasks.add()
        host.endTask(id)
      }
    }
    await awaitOtherThread { calls.wait() }
    expectNoDifference(tasks.count, 200)
    #expect((1...200).contains(activities.count))
  }

  @Test("An empty name, for which the system raises an exception, is replaced")
  func emptyName() {
    coordinator.beginTask(named: "").end()
    expectNoDifference(system.reasons, ["background task"])
  }

  // MARK: The machine

  private enum Step: CaseIterable { case call, callExpired, end, handle, handled }

  @Test(
    "In every sequence of six inputs, one handler runs at most, and no call waits after the end"
  )
  func everySequence() {
    var count = 0
    func explore(
      _ machine: ExpiringActivityMachine,
      _ steps: Int,
      isUp: Bool,
      handlers: Int,
      isOver: Bool,
      isRunning: Bool
    ) {
      guard steps < 6 else { return }
      for step in Step.allCases {
        var machine = machine
        var (isUp, handlers, isOver, isRunning) = (isUp, handlers, isOver, isRunning)
        switch step {
        case .call:
          #expect(machine.call(isExpired: false) == (isOver ? .return : .wait))
        case .callExpired:
          let isFirst = !isOver && !isUp
          #expect(machine.call(isExpired: true) == (isOver ? .return : isFirst ? .expire : .wait))
          isUp = isUp || isFirst
        case .end:
          #expect(machine.end() == (!isOver && !isRunning))
          isOver = isOver || !isRunning
        case .handle:
          // The shell asks once, after `expire`.
          guard isUp, handlers == 0 else { continue }
          #expect(machine.beginHandler() == !isOver)
          isRunning = !isOver
          handlers += 1
        case .handled:
          guard isRunning else { continue }
          machine.finishHandler()
          isRunning = false
          isOver = true
        }
        count += 1
        explore(
          machine,
          steps + 1,
          isUp: isUp,
          handlers: handlers,
          isOver: isOver,
          isRunning: isRunning
        )
      }
    }
    explore(.init(), 0, isUp: false, handlers: 0, isOver: false, isRunning: false)
    #expect(count > 1_000)
  }
}

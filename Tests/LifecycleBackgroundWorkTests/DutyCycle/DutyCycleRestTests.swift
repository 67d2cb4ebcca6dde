import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleBackgroundWork

/// Bursts of three, and rests of three minutes, which no background task has time for.
@MainActor
@Suite("Duty cycle: rests with a coarse publisher")
struct DutyCycleRestTests {
  private let stage = DutyCycleStage(
    DutyCycle(burst: 3, rest: .seconds(180)),
    hasCoarsePublisher: true
  )

  private func beginRest() {
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
  }

  @Test("With a coarse publisher, a rest of three minutes lasts as specified, without a task")
  func threeMinutes() {
    beginRest()
    expectNoDifference(
      stage.take(),
      ["3", "cancel 1", "rest 180 s", "coarse on", "coarse unlimited"]
    )
    expectNoDifference(stage.coarse?.send(7), Subscribers.Demand.none, "its values are ignored")
    stage.clock.advance(by: .seconds(179))
    expectNoDifference(stage.take(), [])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(stage.take(), ["coarse off", "subscribe 2", "ask unlimited"])
    stage.send(4, 5, 6)
    expectNoDifference(
      stage.take(),
      ["6", "cancel 2", "rest 180 s", "coarse on", "coarse unlimited"]
    )
    expectNoDifference(stage.host.operations, [])
    expectNoDifference(stage.meter.subscribedDuration, .zero, "of upstream alone")
    stage.downstream.cancel()
  }

  @Test("Every end of a rest cancels the coarse publisher, once")
  func everyEnd() {
    let paths: [(DutyCycleStage) -> Void] = [
      { $0.clock.advance(by: .seconds(180)) },
      { $0.bus.send(.willEnterForeground) },
      { $0.bus.send(.willTerminate) },
      { $0.downstream.cancel() },
      { $0.releaseBus() },
    ]
    for (index, path) in paths.enumerated() {
      let stage = DutyCycleStage(DutyCycle(burst: 1, rest: .seconds(180)), hasCoarsePublisher: true)
      stage.bus.send(.didEnterBackground)
      stage.send(1)
      expectNoDifference(stage.coarse?.liveCount, 1)
      path(stage)
      stage.downstream.cancel()
      expectNoDifference(stage.take().count { $0 == "coarse off" }, 1, "path \(index)")
      expectNoDifference(stage.clock.timerCount, 0, "path \(index)")
    }
  }

  @Test(
    "A coarse publisher that completes is replaced by a background task, and the rest shortened",
    arguments: [Subscribers.Completion<ProbeFailure>.finished, .failure(.broken)]
  )
  func completes(_ completion: Subscribers.Completion<ProbeFailure>) {
    beginRest()
    stage.clock.advance(by: .seconds(100))
    _ = stage.take()
    stage.coarse?.send(completion: completion)
    expectNoDifference(stage.take(), ["rest 129 s"])
    expectNoDifference(stage.host.openTasks, ["duty cycle"])
    stage.clock.advance(by: .seconds(29))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    expectNoDifference(stage.host.openTasks, [])
    stage.send(4, 5, 6)
    expectNoDifference(
      stage.take(),
      ["6", "cancel 2", "rest 180 s", "coarse on", "coarse unlimited"],
      "the next rest subscribes to it again"
    )
    stage.downstream.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("A publisher that completes at once is reported with each rest, and not before")
  func completesAtOnce() {
    stage.bus.send(.didEnterBackground)
    let cycle = DutyCycle(burst: 1, rest: .seconds(180))
    let (source, none) = (PassthroughSubject<Int, Never>(), [Int]().publisher)
    let line = #line + 1
    let rests = source.dutyCycle(cycle, of: stage.bus, tasks: stage.tasks, resting: none)
    let token = rests.sink { _ in }
    expectReportedIssue("shortened to 29 s", line: line) { source.send(1) }
    expectNoDifference(stage.host.openTasks, ["duty cycle"])
    token.cancel()
    expectNoDifference(stage.host.openTasks, [])
    stage.downstream.cancel()
  }

  @Test("A subscription that comes after the end of the rest is cancelled")
  func lateSubscription() {
    stage.coarse?.hook { $0.isLate = true }
    beginRest()
    stage.bus.send(.willEnterForeground)
    stage.coarse?[1].begin()
    expectNoDifference(
      stage.take(),
      ["3", "cancel 1", "rest 180 s", "coarse on", "subscribe 2", "ask unlimited", "coarse off"]
    )
    stage.downstream.cancel()
  }

  @Test("After a burst on another thread, the coarse publisher is subscribed to on the main actor")
  func otherThread() async {
    stage.coarse?.hook { [trace = stage.trace] hooks in
      hooks.subscribe = { _ in trace("coarse on main \(MainQueue.isCurrent)") }
    }
    stage.bus.send(.didEnterBackground)
    let upstream = stage.upstream
    onOtherThread { for number in 1...3 { upstream.send(number) } }
    expectNoDifference(stage.take(), ["3", "cancel 1"])
    await mainQueueToDrain()
    expectNoDifference(stage.take(), ["rest 180 s", "coarse on main true", "coarse unlimited"])
    stage.clock.advance(by: .seconds(180))
    _ = stage.take()
    onOtherThread { for number in 4...6 { upstream.send(number) } }
    stage.downstream.cancel()
    await mainQueueToDrain()
    expectNoDifference(stage.take(), ["6", "cancel 2"])
  }

  @Test("A coarse publisher that completes after the end of the rest causes no report")
  func completesLate() async {
    beginRest()
    stage.clock.advance(by: .seconds(100))
    _ = stage.take()
    let coarse = stage.coarse!
    onOtherThread { coarse.send(completion: .finished) }
    stage.bus.send(.willEnterForeground)
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    await mainQueueToDrain()
    expectNoDifference(stage.take(), [])
    expectNoDifference(stage.host.openTasks, [])
    stage.downstream.cancel()
  }

  // MARK: The machine

  private enum Input: CaseIterable {
    case subscribe, connect, complete, beginTask, taskDidBegin, end
  }

  /// What the machine should answer, from all inputs that it has accepted.
  private func answer(to input: Input, after accepted: [Input]) -> Bool {
    guard !accepted.contains(.end) else { return input == .end }
    return switch input {
    case .subscribe, .beginTask: accepted.isEmpty
    case .connect: accepted == [.subscribe]
    case .complete: accepted == [.subscribe] || accepted == [.subscribe, .connect]
    case .taskDidBegin: [.beginTask, .complete].contains(accepted.last)
    case .end: true
    }
  }

  private func feed(_ input: Input, to machine: inout DutyCycleRestMachine) -> Bool {
    switch input {
    case .subscribe: return machine.subscribe()
    case .connect: return machine.connect()
    case .complete: return machine.complete()
    case .beginTask: return machine.beginTask()
    case .taskDidBegin: return machine.taskDidBegin()
    case .end:
      machine.end()
      return true
    }
  }

  @Test(
    "In every sequence of six inputs, a rest holds a subscription or a task, and none after its end"
  )
  func everySequence() {
    var count = 0
    func check(_ machine: DutyCycleRestMachine, _ accepted: [Input], _ inputs: [Input]) {
      for input in Input.allCases {
        var after = machine
        let isAccepted = feed(input, to: &after)
        count += 1
        if isAccepted != answer(to: input, after: accepted) {
          Issue.record("\(inputs + [input]): \(isAccepted)")
        }
        let accepted = isAccepted ? accepted + [input] : accepted
        if after.hasEnded != accepted.contains(.end) { Issue.record("\(inputs + [input])") }
        if inputs.count < 5 { check(after, accepted, inputs + [input]) }
      }
    }
    check(DutyCycleRestMachine(), [], [])
    expectNoDifference(count, 6 + 36 + 216 + 1296 + 7776 + 46656)
  }
}

import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What goes wrong when this is written by hand.
@MainActor
@Suite("Duty cycle: the faults of code written by hand")
struct DutyCycleFaultTests {
  private func rest(_ stage: DutyCycleStage) {
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    _ = stage.take()
  }

  @Test("The task's identifier is not overwritten by a second task", arguments: BusKind.allCases)
  func taskIdentifierIsNotOverwrittenBySecondTask(_ kind: BusKind) {
    let stage = DutyCycleStage(kind) { stage in
      stage.bus.send(.didEnterBackground)
      // A burst at once, on each subscription.
      stage.upstream.hook { hooks in
        hooks.request = { subscription in
          for number in 1...5 { subscription.send(ProbeValue(number)) }
        }
      }
    }
    for _ in 1...3 {
      expectNoDifference(stage.tasks.grantedTasks, ["duty cycle"])
      // In the same moment the rest ends, and the next begins.
      stage.clock.advance(by: .seconds(10))
    }
    stage.bus.send(.willEnterForeground)
    stage.bus.send(.didEnterBackground)
    stage.downstream.cancel()
    var open = 0
    for operation in stage.host.operations {
      open += operation == .began("duty cycle") ? 1 : -1
      #expect((0...1).contains(open))
    }
    expectNoDifference(open, 0)
  }

  @Test("The task is not ended twice", arguments: BusKind.allCases)
  func endedTwice(_ kind: BusKind) {
    let stage = DutyCycleStage(kind)
    rest(stage)
    stage.host.expire()
    stage.bus.send(.willEnterForeground)
    stage.clock.advance(by: .seconds(100))
    stage.downstream.cancel()
    stage.downstream.cancel()
    expectNoDifference(
      stage.host.operations,
      [.began("duty cycle"), .expired("duty cycle"), .ended("duty cycle")]
    )
  }

  @Test("The task ends on every path", arguments: BusKind.allCases)
  func neverEnded(_ kind: BusKind) {
    let paths: [(DutyCycleStage) -> Void] = [
      { $0.clock.advance(by: .seconds(10)) },
      { $0.host.expire() },
      { $0.bus.send(.willEnterForeground) },
      { $0.bus.send(.willTerminate) },
      { $0.downstream.cancel() },
      { $0.releaseBus() },
    ]
    for (index, path) in paths.enumerated() {
      let stage = DutyCycleStage(kind)
      rest(stage)
      expectNoDifference(stage.host.openTasks.count, 1)
      path(stage)
      #expect(stage.host.openTasks.isEmpty, "path \(index)")
      stage.downstream.cancel()
    }
  }

  @Test("No timer goes on in the foreground", arguments: BusKind.allCases)
  func timerInForeground(_ kind: BusKind) {
    let stage = DutyCycleStage(kind)
    rest(stage)
    stage.bus.send(.willEnterForeground)
    expectNoDifference(stage.clock.timerCount, 0)
    _ = stage.take()
    stage.clock.advance(by: .seconds(100))
    expectNoDifference(stage.take(), [])
    expectNoDifference(stage.upstream.liveCount, 1)
    stage.downstream.cancel()
  }

  @Test("The interval is compared with the grant: shortened, and reported at the operator's line")
  func longerThanGrant() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, DutyCycle(burst: 3, rest: .seconds(60)))
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2, 3)
      expectNoDifference(stage.take(), ["3", "cancel 1", "rest 29 s"])
      stage.clock.advance(by: .seconds(29))
      expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
      // Not by expiration.
      expectNoDifference(stage.host.operations, [.began("duty cycle"), .ended("duty cycle")])
      stage.downstream.cancel()

      let bus = kind.make()
      bus.send(.didEnterBackground)
      let host = InMemoryBackgroundTaskHost()
      let tasks = BackgroundTaskCoordinator(host: host)
      let cycle = DutyCycle(burst: 1, rest: .seconds(60))
      let line: UInt = #line + 1
      let operation = stage.upstream.dutyCycle(cycle, of: bus, tasks: tasks)
      operation.subscribe(stage.downstream)
      let issues = reportedIssues { stage.send(1) }
      expectNoDifference(issues.map(\.line), [Int(line)])
      #expect(
        issues.allSatisfy {
          $0.message.contains("a rest of 60 s") && $0.message.contains("to 29 s")
        }
      )
      stage.downstream.cancel()
    }
  }

  @Test("Only a rest that is longer than what remains is shortened: a tenth, at most 1 s, is left")
  func onlyRestLongerThanWhatRemainsIsShortened() {
    func granted(_ remaining: Duration?, _ elapsed: Duration = .zero) -> Duration {
      DutyCycle.Rest.granted(of: .seconds(20), remaining: remaining, elapsed: elapsed)
    }
    expectNoDifference(granted(nil), .seconds(20))
    expectNoDifference(granted(.seconds(21)), .seconds(20))
    expectNoDifference(granted(.seconds(20)), .seconds(20))
    expectNoDifference(granted(.seconds(20) - .nanoseconds(1)), .seconds(19) - .nanoseconds(1))
    expectNoDifference(granted(.seconds(15), .seconds(5)), .seconds(20))
    expectNoDifference(granted(.seconds(15), .seconds(4)), .seconds(18))
    expectNoDifference(granted(.seconds(5)), .milliseconds(4_500))
    expectNoDifference(granted(.seconds(5), .seconds(2)), .milliseconds(6_500))
    expectNoDifference(granted(.zero), .zero)
    expectNoDifference(granted(.seconds(-5)), .zero)
    expectNoDifference(granted(Duration.seconds(Int64.max) * 2), .seconds(20))
  }
}

import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Combine's operators on the manual clock")
struct ManualSchedulerOperatorTests {
  private let clock = ManualClock()
  private let trace: TimeTrace
  private let subject = PassthroughSubject<Int, TestError>()

  private struct TestError: Error, CustomStringConvertible {
    let description = "late"
  }

  init() {
    trace = TimeTrace(clock)
  }

  private func observe<Output>(
    _ publisher: some Publisher<Output, TestError>
  ) -> AnyCancellable {
    publisher.sink { [trace] in
      trace("\($0)")
    } receiveValue: { [trace] in
      trace("\($0)")
    }
  }

  /// Sends 1 at 0 s, 2 at 0.5 s, and so on.
  private func sendHalfSeconds(_ values: ClosedRange<Int>) {
    for value in values {
      subject.send(value)
      clock.advance(by: .milliseconds(500))
    }
  }

  @Test("debounce lets the last value through when nothing follows it")
  func debounceLetsLastValueThroughWhenNothingFollowsIt() {
    let cancellable = observe(subject.debounce(for: .seconds(1), scheduler: clock.scheduler))
    sendHalfSeconds(1...3)
    clock.advance(by: .milliseconds(499))
    expectNoDifference(trace.take(), [])
    clock.advance(by: .milliseconds(1))
    expectNoDifference(trace.take(), ["2.0 3"])
    clock.run()
    expectNoDifference(clock.elapsed, .seconds(2))
    cancellable.cancel()
  }

  @Test("debounce by nothing ends a move")
  func debounceByNothing() {
    let cancellable = observe(subject.debounce(for: 0, scheduler: clock.scheduler))
    subject.send(1)
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["0.0 1"])
    cancellable.cancel()
  }

  @Test("throttle lets one value through in each interval", arguments: [true, false])
  func throttleLetsOneValueThroughInEachInterval(_ latest: Bool) {
    let cancellable = observe(
      subject.throttle(for: .seconds(1), scheduler: clock.scheduler, latest: latest)
    )
    sendHalfSeconds(1...5)
    clock.advance(by: .seconds(2))
    expectNoDifference(
      trace.take(),
      ["0.0 1", "1.0 2", latest ? "2.0 4" : "2.0 3", "3.0 5"]
    )
    cancellable.cancel()
  }

  @Test("delay delivers each value later")
  func delayDeliversLater() {
    let cancellable = observe(subject.delay(for: .seconds(3), scheduler: clock.scheduler))
    sendHalfSeconds(1...2)
    subject.send(completion: .finished)
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.take(), ["3.0 1", "3.5 2", "4.0 finished"])
    cancellable.cancel()
  }

  @Test("timeout ends in the middle of a move")
  func timeoutEndsInMiddleOfMove() {
    let cancellable = observe(
      subject.timeout(.seconds(2), scheduler: clock.scheduler) { TestError() }
    )
    sendHalfSeconds(1...2)
    clock.advance(by: .seconds(9))
    expectNoDifference(trace.take(), ["0.0 1", "0.5 2", "2.5 failure(late)"])
    cancellable.cancel()
  }

  @Test("receive(on:) delivers in order, at the next move")
  func receiveOnDeliversInOrder() {
    let cancellable = observe(subject.receive(on: clock.scheduler))
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    expectNoDifference(trace.take(), [])
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["0.0 1", "0.0 2", "0.0 finished"])
    cancellable.cancel()
  }

  @Test("subscribe(on:) subscribes at the next move")
  func subscribeOnSubscribesAtNextMove() {
    let cancellable = observe(
      subject.handleEvents(receiveSubscription: { [trace] _ in trace("subscribed") })
        .subscribe(on: clock.scheduler)
    )
    expectNoDifference(trace.take(), [])
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["0.0 subscribed"])
    cancellable.cancel()
  }

  @Test("measureInterval measures virtual time")
  func measureInterval() {
    let cancellable = observe(
      subject.measureInterval(using: clock.scheduler).map { $0.duration / .seconds(1) }
    )
    clock.advance(by: .seconds(2))
    subject.send(1)
    clock.sleepDevice(for: .seconds(60))
    subject.send(2)
    expectNoDifference(trace.take(), ["2.0 2.0", "62.0 60.0"])
    cancellable.cancel()
  }
}

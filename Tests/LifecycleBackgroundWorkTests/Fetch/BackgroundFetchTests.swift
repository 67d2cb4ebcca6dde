import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// The answers that handlers wait for until a test gives them.
final class HeldAnswers: Sendable {
  typealias HandlerResult = BackgroundFetchReport.HandlerResult

  private let waiting = Locked<[String: [CheckedContinuation<HandlerResult, Never>?]]>([:])

  /// Waits for an answer, also after the cancellation, which is traced.
  func wait(as name: String, _ trace: Trace) async -> HandlerResult {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0[name, default: []].append(continuation) }
      }
    } onCancel: {
      trace("\(name) cancelled")
    }
  }

  func give(_ result: HandlerResult, to name: String, _ position: Int = 0) {
    waiting.withLock { $0[name]![position].take() }!.resume(returning: result)
  }

  /// Lets the handlers that still wait fail, which nobody minds.
  func giveUp() {
    let old = waiting.exchange([:])
    for continuation in old.values.joined() {
      continuation?.resume(returning: .failed(FetchTrouble()))
    }
  }
}

/// A coordinator on a manual clock, whose handlers answer when a test says so.
final class BackgroundFetchStage: Sendable {
  let clock = ManualClock()
  let bus: any LifecycleBusProtocol
  let trace = Trace()
  let scope = LifecycleScope("stage")
  private let box = Locked<BackgroundFetchCoordinator?>(nil)
  private let answers = HeldAnswers()

  init(onAnyThread: Bool = false) {
    bus = onAnyThread ? NonisolatedLifecycleBus(clock: clock) : LifecycleBus(clock: clock)
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      fatalError("Before macOS 15, a clock is no executor.")
    }
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    box.withLock { $0 = fetches }
  }

  deinit { answers.giveUp() }

  var fetches: BackgroundFetchCoordinator { box.withLock { $0! } }

  func releaseCoordinator() {
    let old = box.withLock { $0.take() }
    withExtendedLifetime(old) {}
  }

  /// The body of a handler that waits for its answer.
  func body(_ name: String) -> @Sendable () async -> HeldAnswers.HandlerResult {
    { [trace, answers] in
      trace("\(name) runs")
      return await answers.wait(as: name, trace)
    }
  }

  func add(_ name: String) {
    fetches.addHandler(named: name, in: scope, body(name))
  }

  /// Adds a handler outside of the stage's scope.
  func register(_ name: String) -> LifecycleCancellable {
    fetches.addHandler(named: name, body(name))
  }

  /// Begins a fetch, and runs what is ready to.
  @discardableResult
  func begin(deadline: Duration = .seconds(30)) -> Int {
    let number = fetches.queue.makeNumber()
    fetches.queue.begin(number, deadline: deadline) { [trace] in trace("received \($0.line)") }
    clock.advance(by: .zero)
    return number
  }

  /// Answers for a handler, in its fetch of that position.
  func answer(_ name: String, _ result: HeldAnswers.HandlerResult, _ position: Int = 0) {
    answers.give(result, to: name, position)
    clock.advance(by: .zero)
  }
}

extension BackgroundFetchReport {
  /// The report as traces show it: `1 newData 3.0 s: inbox newData 1.0 s, news failed (…) 3.0 s`.
  var line: String {
    let parts = handlers.map { "\($0.name) \($0.result.line) \($0.duration.text)" }
    return "\(number) \(result.rawValue) \(duration.text): \(parts.joined(separator: ", "))"
  }
}

extension BackgroundFetchReport.HandlerResult {
  var line: String {
    if case .failed(let error) = self { "failed (\(error))" } else { fetchResult.rawValue }
  }
}

struct FetchTrouble: Error, CustomStringConvertible {
  let description = "trouble"
}

@Suite("Background fetch")
@MainActor
struct BackgroundFetchTests {
  @Test("A fetch is complete as soon as all have answered")
  func allAnswer() {
    let stage = BackgroundFetchStage()
    let reports = stage.fetches.reports.sink { [trace = stage.trace] in trace("report \($0.line)") }
    let token = stage.bus.addObserver { [trace = stage.trace] event in
      trace("\(event.shortLine) \(event.origin) \(event.metadata.sorted { $0.key < $1.key })")
    }
    stage.add("inbox")
    stage.add("news")
    stage.begin()
    stage.clock.advance(by: .seconds(1))
    stage.answer("news", .noData)
    stage.clock.advance(by: .seconds(1))
    stage.answer("inbox", .newData)
    let line = "1 newData 2 s: inbox newData 2 s, news noData 1 s"
    expectNoDifference(
      stage.trace.take(),
      [
        "inbox runs", "news runs", "report \(line)",
        """
        1 backgroundFetchDidComplete manual [(key: "fetch", value: "1"), (key: "result", value: \
        "newData")]
        """,
        "received \(line)",
      ]
    )
    // Nothing is left to do, and nothing comes after that.
    expectNoDifference(stage.clock.timerCount, 0)
    stage.clock.advance(by: .seconds(60))
    expectNoDifference(stage.trace.take(), [])
    withExtendedLifetime((reports, token)) {}
  }

  @Test("A fetch whose deadline passed while the device slept is complete at systemDidWake")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func deadlinePassedWhileTheDeviceSlept() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: TimerlessClock(clock))
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let trace = Trace()
    let registration = fetches.addHandler(named: "inbox") {
      try await Task.sleep(for: .seconds(600), clock: clock)
      return .newData
    }
    fetches.queue.begin(fetches.queue.makeNumber(), deadline: .seconds(30)) { trace($0.line) }
    clock.advance(by: .zero)
    clock.sleepDevice(for: .seconds(29))
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), [])
    clock.sleepDevice(for: .seconds(1))
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.take(),
      ["1 failed 30 s: inbox failed (no answer by the deadline) 30 s"]
    )
    withExtendedLifetime((bus, fetches, registration)) {}
  }

  @Test("A handler is cancelled at the deadline, when it may fail; a late answer is reported")
  func cancelledTask() {
    let stage = BackgroundFetchStage()
    let clock = stage.clock
    stage.add("news")
    expectReportedIssue(#""stubborn" answered fetch 1 after"#, line: #line + 1) {
      stage.fetches.addHandler(named: "stubborn", in: stage.scope) {
        try? await Task.sleep(for: .seconds(60), clock: clock)
        return .newData
      }
      stage.begin()
      clock.advance(by: .seconds(30))
      clock.advance(by: .zero)
    }
    stage.answer("news", .failed(FetchTrouble()))
    expectNoDifference(
      stage.trace.lines.map { $0.prefix(19) },
      ["news runs", "received 1 failed 3", "news cancelled"]
    )
  }

  @Test("A fetch with a deadline that is not in the future runs no handler, and fails")
  func noTime() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin(deadline: .seconds(-1))
    expectNoDifference(
      stage.trace.lines,
      ["received 1 failed 0 s: inbox failed (no answer by the deadline) 0 s"]
    )
  }

  @Test("Cancelling the task of performFetch() ends the fetch at once")
  func callerCancelled() async {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let task = Task { await stage.fetches.performFetch() }
    task.cancel()
    let report = await task.value
    expectNoDifference(report.line, "1 failed 0 s: inbox failed (no answer by the deadline) 0 s")
  }

  @Test("Sixteen handlers that block their threads delay no other handler")
  func blockingHandlersHoldNobodyBack() async {
    let gate = ThreadGate()
    let scope = LifecycleScope()
    let bus = LifecycleBus(clock: ManualClock())
    let fetches = BackgroundFetchCoordinator(of: bus)
    // More of them than Swift's own pool has threads.
    let count = 16
    let begun = Counter()
    let allBlocked = AsyncGate()
    for number in 1...count {
      fetches.addHandler(named: "blocked \(number)", in: scope) {
        if begun.add() == count { allBlocked.open() }
        gate.wait()
        throw FetchTrouble()
      }
    }
    let answered = AsyncGate()
    fetches.addHandler(named: "inbox", in: scope) {
      answered.open()
      return .newData
    }
    let queue = fetches.queue
    let number = queue.makeNumber()
    let result = Locked<BackgroundFetchResult?>(nil)
    queue.begin(number, deadline: .seconds(30)) { report in
      result.withLock { $0 = report.result }
    }
    await allBlocked.opened()
    await answered.opened()
    expectNoDifference(result.withLock { $0 }, nil)
    queue.expire(number)
    // Whether the answer was in, or about to be, is up to its thread.
    #expect(result.withLock { $0 } != nil)
    gate.open()
    withExtendedLifetime((bus, fetches, scope)) {}
  }

  @Test("Reports wait for demand, and finish with the coordinator")
  func reportDemand() {
    let stage = BackgroundFetchStage()
    func record(_ demand: Subscribers.Demand) -> LifecycleRecorder<Int, Never> {
      LifecycleRecorder(stage.fetches.reports.map(\.number), of: stage.bus, demand: demand)
    }
    let numbers = record(.none)
    let cancelled = record(.unlimited)
    cancelled.cancel()
    let late = stage.fetches.reports
    for _ in 1...3 { stage.begin() }
    expectNoDifference(
      stage.trace.lines,
      ["received 1 noData 0 s: ", "received 2 noData 0 s: ", "received 3 noData 0 s: "]
    )
    expectNoDifference(numbers.takeElements(), [])
    numbers.request(.max(2))
    expectNoDifference(numbers.takeElements(), [1, 2])
    stage.releaseCoordinator()
    expectNoDifference(numbers.completion, nil)
    numbers.request(.max(1))
    expectNoDifference(numbers.takeElements(), [3])
    expectNoDifference(numbers.completion, .finished)
    expectNoDifference(cancelled.elements, [])
    let latecomer = LifecycleRecorder(late, of: stage.bus)
    #expect(latecomer.elements.isEmpty)
    expectNoDifference(latecomer.completion, .finished)
  }
}

import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A coordinator on a manual clock, whose handlers answer when a test says so.
final class BackgroundFetchStage: Sendable {
  let clock = ManualClock()
  let bus: any LifecycleBusProtocol
  let trace = Trace()
  let scope = LifecycleScope("stage")
  private let box = Locked<BackgroundFetchCoordinator?>(nil)
  private let completions = Locked<[String: [BackgroundFetchCompletion]]>([:])

  init(onAnyThread: Bool = false) {
    bus = onAnyThread ? NonisolatedLifecycleBus(clock: clock) : LifecycleBus(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    box.withLock { $0 = fetches }
  }

  var fetches: BackgroundFetchCoordinator { box.withLock { $0! } }

  func releaseCoordinator() {
    let old = box.withLock { $0.take() }
    withExtendedLifetime(old) {}
  }

  /// Adds a handler whose completions the stage keeps.
  @discardableResult
  func add(_ name: String, in scope: LifecycleScope? = nil) -> LifecycleCancellable {
    fetches.addHandler(named: name, in: scope ?? self.scope) { [self] completion in
      trace("\(name) runs")
      completion.onCancel { [trace] in trace("\(name) cancelled") }
      completions.withLock { $0[name, default: []].append(completion) }
    }
  }

  /// Begins a fetch, and runs what is ready to.
  @discardableResult
  func begin(deadline: Duration = .seconds(30)) -> BackgroundFetchRun {
    let core = fetches.core
    let run = core.makeRun()
    run.whenConcluded { [trace] in trace("told \($0.line)") }
    core.begin(run, deadline: deadline)
    clock.advance(by: .zero)
    return run
  }

  /// The completion that a handler got for its fetch of that position.
  func completion(_ name: String, _ position: Int = 0) -> BackgroundFetchCompletion {
    completions.withLock { $0[name]![position] }
  }

  func answer(_ name: String, _ outcome: BackgroundFetchReport.Handler.Outcome, _ position: Int = 0)
  {
    completion(name, position).complete(outcome)
  }

  func dropCompletions() {
    let old = completions.withLock { completions in
      defer { completions = [:] }
      return completions
    }
    withExtendedLifetime(old) {}
  }
}

extension BackgroundFetchReport {
  /// The report as traces show it: `1 newData 3.0 s: inbox newData 1.0 s, news failed (…) 3.0 s`.
  var line: String {
    let parts = handlers.map { "\($0.name) \($0.outcome.line) \($0.duration.text)" }
    return "\(number) \(result.rawValue) \(duration.text): \(parts.joined(separator: ", "))"
  }
}

extension BackgroundFetchReport.Handler.Outcome {
  var line: String {
    if case .failed(let error) = self { "failed (\(error))" } else { result.rawValue }
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
        "told \(line)",
      ]
    )
    // Nothing is left to do, and nothing comes after that.
    expectNoDifference(stage.clock.timerCount, 0)
    stage.clock.advance(by: .seconds(60))
    expectNoDifference(stage.trace.take(), [])
    withExtendedLifetime((reports, token)) {}
  }

  @Test("A deadline that passed while the device slept does not wait for a timer that slept, too")
  func deadlinePassedWhileTheDeviceSlept() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: TimerlessClock(clock))
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let trace = Trace()
    let registration = fetches.addHandler(named: "inbox") { completion in
      completion.onCancel { completion.complete(.failed(FetchTrouble())) }
    }
    let run = fetches.core.makeRun()
    run.whenConcluded { trace($0.line) }
    fetches.core.begin(run, deadline: .seconds(30))
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

  @Test("New data wins over a failure and over a handler that misses the deadline")
  func newDataWins() {
    let stage = BackgroundFetchStage()
    for name in ["front", "back", "hung"] { stage.add(name) }
    stage.begin()
    stage.answer("front", .failed(FetchTrouble()))
    stage.answer("back", .newData)
    stage.clock.advance(by: .seconds(30))
    expectNoDifference(
      stage.trace.lines.suffix(2),
      [
        """
        told 1 newData 30 s: front failed (trouble) 0 s, back newData 0 s, hung failed (no answer \
        by the deadline) 30 s
        """,
        "hung cancelled",
      ]
    )
  }

  @Test("A handler is not overwritten by an overlapping fetch")
  func handlerIsNotOverwrittenByOverlappingFetch() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin()
    stage.clock.advance(by: .seconds(10))
    stage.begin()
    stage.answer("inbox", .newData, 1)
    stage.clock.advance(by: .seconds(1))
    stage.answer("inbox", .noData, 0)
    expectNoDifference(
      stage.trace.lines,
      [
        "inbox runs", "inbox runs",
        "told 2 newData 0 s: inbox newData 0 s",
        "told 1 noData 11 s: inbox noData 11 s",
      ]
    )
  }

  @Test("A second or a late answer is reported at its caller, but a cancelled handler may fail")
  func answeredTwiceOrLate() {
    let stage = BackgroundFetchStage()
    for name in ["inbox", "late", "news"] { stage.add(name) }
    stage.begin(deadline: .seconds(1))
    stage.answer("inbox", .noData)
    expectReportedIssue(
      #""inbox" answered fetch 1 more than once, so the answer newData"#,
      line: #line + 2
    ) {
      stage.completion("inbox").complete(.newData)
    }
    stage.clock.advance(by: .seconds(1))
    _ = stage.trace.take()
    expectReportedIssue(
      #""late" answered fetch 1 after the fetch had ended, so the answer newData"#,
      line: #line + 2
    ) {
      stage.completion("late").complete(.newData)
    }
    stage.answer("news", .failed(FetchTrouble()))
    expectNoDifference(stage.trace.lines, [])
  }

  @Test("A completion that is never called counts as failed, and is reported at the handler")
  func releasedCompletion() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    expectReportedIssue(
      #""forgetful" released the completion of fetch 1 without an answer"#,
      line: #line + 2
    ) {
      stage.fetches.addHandler(named: "forgetful", in: stage.scope) { _ in }
      stage.begin()
      stage.answer("inbox", .noData)
    }
    expectNoDifference(
      stage.trace.lines.last,
      "told 1 failed 0 s: inbox noData 0 s, forgetful failed (never answered) 0 s"
    )
    // After the answer a release means nothing.
    stage.dropCompletions()
  }

  @Test(
    "An asynchronous handler is cancelled at the deadline; a late answer is reported at its line"
  )
  func cancelledTask() {
    let stage = BackgroundFetchStage()
    let clock = stage.clock
    expectReportedIssue(#""stubborn" answered fetch 1 after"#, line: #line + 1) {
      stage.fetches.addHandler(named: "stubborn", in: stage.scope) {
        try? await Task.sleep(for: .seconds(60), clock: clock)
        return .newData
      }
      stage.begin()
      clock.advance(by: .seconds(30))
      clock.advance(by: .zero)
    }
    expectNoDifference(stage.trace.lines.map { $0.prefix(15) }, ["told 1 failed 3"])
  }

  @Test("A deadline that is not in the future has passed: nothing runs")
  func noTime() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin(deadline: .seconds(-1))
    expectNoDifference(
      stage.trace.lines,
      ["told 1 failed 0 s: inbox failed (no answer by the deadline) 0 s"]
    )
  }

  @Test("When the calling task is cancelled, the deadline is now")
  func callerCancelled() async {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let task = Task { await stage.fetches.performFetch() }
    task.cancel()
    let report = await task.value
    expectNoDifference(
      report.line,
      "1 failed 0 s: inbox failed (no answer by the deadline) 0 s"
    )
  }

  @Test("Handlers that block their threads hold nobody back")
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
    let run = fetches.core.makeRun()
    let result = Locked<BackgroundFetchResult?>(nil)
    run.whenConcluded { report in result.withLock { $0 = report.result } }
    fetches.core.begin(run, deadline: .seconds(30))
    await allBlocked.opened()
    await answered.opened()
    expectNoDifference(result.withLock { $0 }, nil)
    run.expire()
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
      ["told 1 noData 0 s: ", "told 2 noData 0 s: ", "told 3 noData 0 s: "]
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

  @Test("Never and minimum are encoded as texts, other intervals as durations")
  func encodedIntervals() throws {
    let duration = Duration.milliseconds(900_500)
    func encoded(_ value: some Encodable) throws -> String {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
    func decoded(_ json: String) throws -> BackgroundFetchInterval {
      try JSONDecoder().decode(BackgroundFetchInterval.self, from: Data(json.utf8))
    }
    let forms: [(BackgroundFetchInterval, String)] = [
      (.never, #""never""#), (.minimum, #""minimum""#), (.after(duration), try encoded(duration)),
    ]
    for (interval, json) in forms {
      expectNoDifference(try encoded(interval), json)
      expectNoDifference(try decoded(json), interval)
    }
    #expect(throws: DecodingError.self) { try decoded(#""often""#) }
  }
}

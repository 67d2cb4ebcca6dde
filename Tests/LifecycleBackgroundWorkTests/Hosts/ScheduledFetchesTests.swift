import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleBackgroundWork

/// What `BGTaskSchedulerFetchHost` is made of, with a scheduler that notes its calls.
@Suite("Background fetch by a scheduler that launches once for each request")
struct ScheduledFetchesTests {
  struct Refusal: Error {}

  final class Stage: BackgroundFetchHost {
    private let trace = Trace()
    private let stream = AsyncStream.makeStream(of: String.self)
    let refuses = Locked(false)
    /// What the scheduler waits for before it answers a submission; nil for nothing.
    let answer = Locked<AsyncGate?>(nil)
    /// When the request of the scheduler is due, from now; nil if it has none.
    let pending = Locked<Duration?>(nil)
    private let box = Locked<ScheduledFetches?>(nil)
    private let expiration = Locked<(@Sendable () -> Void)?>(nil)

    init(onSubmitError: (@Sendable (Stage) -> Void)? = nil) {
      let fetches = ScheduledFetches(deadline: .seconds(25), madeAt: .here()) { [weak self] in
        let pending = self?.pending.withLock { $0 }
        if let pending { self?.note("due in \(pending / .seconds(1))", isOffMain: true) }
        return pending
      } submit: { [weak self] delay in
        let answer = self?.answer.withLock { $0 }
        self?.note("submit \(delay / .seconds(1))", isOffMain: true)
        if let answer {
          await answer.opened()
          await Task.yield()
          self?.note("answer")
        }
        if self?.refuses.withLock({ $0 }) == true { throw Refusal() }
      } cancel: { [weak self] in
        self?.note("cancel", isOffMain: true)
      } onSubmitError: { [weak self] error in
        self?.note("\(error)", isOffMain: true)
        if let self { onSubmitError?(self) }
      }
      box.withLock { $0 = fetches }
    }

    var lines: [String] { trace.lines }

    func note(_ line: String, isOffMain: Bool = false) {
      let line = isOffMain && MainQueue.isCurrent ? "\(line) on the main thread" : line
      trace(line)
      stream.continuation.yield(line)
    }

    /// Waits for the next lines.
    func next(_ count: Int) async -> [String] {
      var lines: [String] = []
      for await line in stream.stream.prefix(count) { lines.append(line) }
      return lines
    }

    /// Waits for the next lines, and compares them.
    func expect(_ expected: String..., line: UInt = #line) async {
      let lines = await next(expected.count)
      expectNoDifference(lines, expected, line: line)
    }

    func setMinimumInterval(_ interval: Duration?) { box.withLock { $0! }.setInterval(interval) }

    func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
      box.withLock { $0! }.setHandler(handler)
    }

    func launch() {
      box.withLock { $0! }.launch { onExpiration in
        note("prepare")
        expiration.withLock { $0 = onExpiration }
      } complete: { [self] isSuccess in
        note(isSuccess ? "success" : "failure")
      }
    }

    /// The system wants its time back.
    func expire() { expiration.withLock { $0.take() }?() }
  }

  @Test("Without an interval, a fetch begins and is completed, once")
  func noInterval() async {
    let stage = Stage()
    stage.setFetchHandler { request in
      stage.note("fetch")
      request.complete(.noData)
      request.complete(.failed)
    }
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", "fetch", "success"])
    // Nor after one that is set back.
    stage.setMinimumInterval(.zero)
    await stage.expect("prepare", "fetch", "success", "submit 0.0")
    stage.setMinimumInterval(nil)
    await stage.expect("cancel")
    stage.launch()
    await stage.expect("prepare", "fetch", "success")
    stage.setFetchHandler(nil)
  }

  @Test(
    "An app that is opened every five minutes is refreshed after fifteen, as its request is kept"
  )
  func pendingRequestIsKept() async {
    let stage = Stage()
    stage.setFetchHandler { $0.complete(.noData) }
    stage.setMinimumInterval(.seconds(900))
    await stage.expect("submit 900.0")
    // Each time the app is launched, which sets the interval.
    for time in [600, 300, -60] {
      stage.pending.withLock { $0 = .seconds(time) }
      stage.setMinimumInterval(.seconds(900))
      await stage.expect("due in \(Double(time))")
    }
    // The request is used up.
    stage.launch()
    let lines = await stage.next(3)
    expectNoDifference(Set(lines), ["prepare", "submit 900.0", "success"])
    // One that is due later is replaced.
    stage.pending.withLock { $0 = .seconds(900) }
    stage.setMinimumInterval(.seconds(60))
    await stage.expect("due in 900.0", "submit 60.0")
    stage.setFetchHandler(nil)
  }

  @Test("A refusal is reported once, off the main thread, whenever the scheduler answers")
  @MainActor
  func refusal() async {
    let (stage, answer) = (Stage(), AsyncGate())
    stage.answer.withLock { $0 = answer }
    stage.refuses.withLock { $0 = true }
    stage.setMinimumInterval(.seconds(10))
    await stage.expect("submit 10.0")
    answer.open()
    await stage.expect("answer", "Refusal()")
    stage.refuses.withLock { $0 = false }
    stage.setMinimumInterval(.seconds(20))
    await stage.expect("submit 20.0")
  }

  @Test("A launch submits the next request, and its task is not completed before that")
  func completionWaitsForSubmission() async {
    let (stage, answer) = (Stage(), AsyncGate())
    stage.setFetchHandler { $0.complete(.failed) }
    stage.setMinimumInterval(.zero)
    await stage.expect("submit 0.0")
    stage.answer.withLock { $0 = answer }
    stage.launch()
    let began = await stage.next(2)
    expectNoDifference(Set(began), ["prepare", "submit 0.0"])
    answer.open()
    await stage.expect("answer", "failure")
    stage.setFetchHandler(nil)
  }

  @Test("A task that expires does not wait for the scheduler")
  func expirationDuringSubmission() async {
    let (stage, answer) = (Stage(), AsyncGate())
    stage.setMinimumInterval(.zero)
    await stage.expect("submit 0.0")
    stage.answer.withLock { $0 = answer }
    for (result, line) in [(BackgroundFetchResult.noData, "success"), (.failed, "failure")] {
      // The first fetch is complete when its time is up, the second one gives up then.
      stage.setFetchHandler { request in
        if result == .noData { request.complete(result) }
        request.onExpiration { request.complete(result) }
      }
      stage.launch()
      #expect(!stage.lines.contains(line))
      stage.expire()
      expectNoDifference(stage.lines.last { $0 != "submit 0.0" }, line)
    }
    stage.setFetchHandler(nil)
    answer.open()
  }

  // On the main actor, where the bus ends at its release. Elsewhere it would end a moment later.
  @Test("After its connection is cancelled, a host keeps neither coordinator nor bus alive")
  @MainActor
  func cancelledConnection() {
    let stage = Stage()
    weak var queue: BackgroundFetchQueue?
    weak var coordinator: BackgroundFetchCoordinator?
    weak var bus: LifecycleBus?
    do {
      let (newBus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope())
      let fetches = BackgroundFetchCoordinator(of: newBus)
      fetches.addHandler(named: "inbox", in: scope) { .newData }
      (queue, coordinator, bus) = (fetches.queue, fetches, newBus)
      fetches.connect(stage).cancel()
      scope.end()
    }
    #expect(queue == nil && coordinator == nil && bus == nil)
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", "success"])
  }

  @Test("When the system wants its time back, the coordinator gives up, and the task is completed")
  @MainActor
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func coordinatorGivesUpWhenSystemWantsTimeBack() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let stage = Stage()
    let connection = fetches.connect(stage)
    let registration = fetches.addHandler(named: "hung") {
      try await Task.sleep(for: .seconds(600), clock: clock)
      return .newData
    }
    stage.launch()
    clock.advance(by: .seconds(5))
    expectNoDifference(stage.lines, ["prepare"])
    stage.expire()
    stage.expire()
    expectNoDifference(stage.lines, ["prepare", "failure"])
    stage.launch()
    clock.advance(by: .seconds(24))
    expectNoDifference(stage.lines, ["prepare", "failure", "prepare"])
    clock.advance(by: .seconds(1))
    expectNoDifference(stage.lines, ["prepare", "failure", "prepare", "failure"])
    stage.expire()
    expectNoDifference(stage.lines, ["prepare", "failure", "prepare", "failure"])
    withExtendedLifetime((bus, fetches, connection, registration)) {}
  }

  @Test("A request that expires before onExpiration(_:) is called expires then")
  func expirationDuringLaunch() {
    let stage = Stage()
    stage.setFetchHandler { request in
      stage.expire()
      request.onExpiration { request.complete(.failed) }
    }
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", "failure"])
    stage.setFetchHandler(nil)
  }

  @Test("An interval that is set while a refusal is reported is submitted next")
  func intervalInRefusal() async {
    let stage = Stage { stage in
      stage.refuses.withLock { $0 = false }
      stage.setMinimumInterval(.seconds(20))
      stage.note("set")
    }
    stage.setFetchHandler { $0.complete(.noData) }
    stage.refuses.withLock { $0 = true }
    stage.setMinimumInterval(.seconds(10))
    await stage.expect("submit 10.0", "Refusal()", "set", "submit 20.0")
    // Refused at a launch, the fetch begins anyway.
    stage.refuses.withLock { $0 = true }
    stage.launch()
    let lines = await stage.next(6)
    expectNoDifference(
      lines.filter { $0 != "prepare" },
      ["submit 20.0", "Refusal()", "set", "submit 20.0", "success"]
    )
  }

  /// What a scheduler sees that many threads use.
  private final class Scheduler: Sendable {
    let isBusy = Locked(false)
    let isPending = Locked(false)
    let overlaps = Locked(0)
    let completions = AsyncStream.makeStream(of: Bool.self)

    func submit() async {
      begin()
      await Task.yield()
      end(isPending: true)
    }

    func cancel() {
      begin()
      end(isPending: false)
    }

    private func begin() {
      let overlapped = isBusy.withLock { isBusy in
        defer { isBusy = true }
        return isBusy
      }
      if overlapped { overlaps.withLock { $0 += 1 } }
    }

    private func end(isPending: Bool) {
      self.isPending.withLock { $0 = isPending }
      isBusy.withLock { $0 = false }
    }

    func complete(_ isSuccess: Bool) { completions.continuation.yield(isSuccess) }
  }

  @Test("With many threads, one request at a time is submitted, and the last cancellation stays")
  func threadsSubmitOneAtATime() async {
    let scheduler = Scheduler()
    let fetches = ScheduledFetches(deadline: .seconds(25), madeAt: .here()) {
      nil
    } submit: { _ in
      await scheduler.submit()
    } cancel: {
      scheduler.cancel()
    } onSubmitError: { _ in
    }
    let handler: @Sendable (BackgroundFetchRequest) -> Void = { $0.complete(.newData) }
    fetches.setHandler(handler)
    await withTaskGroup(of: Void.self) { group in
      for number in 1...200 {
        group.addTask {
          switch number % 4 {
          case 0: fetches.setInterval(.seconds(number))
          case 1: fetches.setInterval(nil)
          case 2: fetches.setHandler(number % 8 == 2 ? handler : nil)
          default:
            fetches.launch {
              $0()
            } complete: {
              scheduler.complete($0)
            }
          }
        }
      }
    }
    fetches.setInterval(nil)
    // Its task is completed after the cancellation, as it would be after a submission.
    fetches.setHandler(handler)
    fetches.launch { _ in
    } complete: {
      scheduler.complete($0)
    }
    for await _ in scheduler.completions.stream.prefix(51) {}
    expectNoDifference(scheduler.overlaps.withLock { $0 }, 0)
    #expect(!scheduler.isPending.withLock { $0 })
  }

  @Test("The advice names the identifier, the mode and the keys of Info.plist")
  func adviceNamesIdentifierModeAndKeys() {
    let texts = FetchSubmissionAdvice.allCases.map {
      $0.text(identifier: "com.example.refresh", mode: "fetch")
    }
    expectNoDifference(Set(texts).count, FetchSubmissionAdvice.allCases.count)
    let first = FetchSubmissionAdvice.notPermitted.text(identifier: "a.b", mode: "processing")
    for word in [
      "a.b", "BGTaskSchedulerPermittedIdentifiers", "processing", "UIBackgroundModes",
      "the user has denied background launches",
    ] {
      #expect(first.contains(word))
    }
  }
}

@Suite("Background fetch: the machine of submissions")
struct FetchSubmissionMachineTests {
  enum Input: Hashable, CaseIterable, Sendable {
    case set10, set20, setNever, launch
    /// The thread that acts asks for more.
    case next
  }

  @Test(
    "In every sequence of seven inputs, one thread acts at a time, and the last interval counts"
  )
  func everySequence() {
    var failures: [[Input]] = []
    var count = 0

    /// - Parameter isActing: Whether a thread acts: from an input until nothing is left.
    func follow(_ past: [Input], _ machine: FetchSubmissionMachine, isActing: Bool) {
      guard past.count < 7, failures.isEmpty else { return }
      for input in Input.allCases {
        var machine = machine
        let sequence = past + [input]
        count += 1
        guard input == .next else {
          let acts =
            switch input {
            case .set10: machine.setInterval(.seconds(10))
            case .set20: machine.setInterval(.seconds(20))
            case .setNever: machine.setInterval(nil)
            default: machine.launch()
            }
          let interval = past.last { $0 != .launch && $0 != .next }
          let matters = input != .launch || interval == .set10 || interval == .set20
          if acts != (matters && !isActing) { failures.append(sequence) }
          follow(sequence, machine, isActing: isActing || matters)
          continue
        }
        // No one asks without an answer that requires it.
        guard isActing else { continue }
        let expected = action(after: past)
        if machine.next() != expected { failures.append(sequence) }
        follow(sequence, machine, isActing: expected != nil)
      }
    }

    follow([], FetchSubmissionMachine(), isActing: false)
    expectNoDifference(failures, [])
    #expect(count > 10000)
  }

  /// What the last input that matters asks for, of those that have not been acted upon: a launch
  /// submits what was set last before it, if anything. What is set keeps the pending request,
  /// unless a launch has used it up.
  private func action(after past: [Input]) -> FetchSubmissionMachine.Action? {
    var action: FetchSubmissionMachine.Action?
    var interval: Duration?
    var isUsedUp = false
    for input in past {
      switch input {
      case .set10, .set20:
        interval = .seconds(input == .set10 ? 10 : 20)
        action = .submit(after: interval!, keepsPending: !isUsedUp)
      case .setNever: (interval, action) = (nil, .cancel)
      case .launch:
        isUsedUp = true
        if let interval { action = .submit(after: interval, keepsPending: false) }
      case .next:
        if action != nil { (action, isUsedUp) = (nil, false) }
      }
    }
    return action
  }
}

extension CallSite {
  /// Returns the caller's place.
  static func here(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> CallSite {
    CallSite(fileID, filePath, line, column)
  }
}

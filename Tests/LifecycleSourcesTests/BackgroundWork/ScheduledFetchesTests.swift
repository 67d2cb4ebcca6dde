import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LifecycleSources

/// What `BGTaskSchedulerFetchHost` is made of, with a scheduler that notes what it is told.
@Suite("Background fetch: hosts whose scheduler launches once for each request")
struct ScheduledFetchesTests {
  struct Refusal: Error {}

  final class Stage: BackgroundFetchHost {
    private let notes = Locked<[String]>([])
    let refuses = Locked(false)
    private let box = Locked<ScheduledFetches?>(nil)
    private let expiration = Locked<(@Sendable () -> Void)?>(nil)

    init(onSubmitError: (@Sendable (Stage) -> Void)? = nil) {
      let fetches = ScheduledFetches(deadline: .seconds(25), madeAt: .here()) {
        [unowned self] delay in
        note("submit \(delay / .seconds(1))")
        if refuses.withLock({ $0 }) { throw Refusal() }
      } cancel: { [unowned self] in
        note("cancel")
      } onSubmitError: { [unowned self] error in
        note("\(error)")
        onSubmitError?(self)
      }
      box.withLock { $0 = fetches }
    }

    var lines: [String] { notes.withLock { $0 } }

    func note(_ line: String) { notes.withLock { $0.append(line) } }

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

  @Test("Each launch submits the next request first, then the fetch begins; it is completed once")
  func eachLaunchSubmitsNextRequestFirst() {
    let stage = Stage()
    stage.setFetchHandler { request in
      stage.note("fetch")
      request.complete(.noData)
      request.complete(.failed)
    }
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", "fetch", "success"])
    stage.setFetchHandler { $0.complete(.failed) }
    stage.setMinimumInterval(.zero)
    stage.launch()
    expectNoDifference(
      Array(stage.lines.dropFirst(3)),
      ["submit 0.0", "submit 0.0", "prepare", "failure"]
    )
    // A launch after that submits nothing.
    stage.setMinimumInterval(nil)
    stage.launch()
    expectNoDifference(Array(stage.lines.dropFirst(7)), ["cancel", "prepare", "failure"])
    stage.setFetchHandler(nil)
  }

  // On the main actor, where the bus ends at its release. Elsewhere it would end a moment later.
  @Test("A host that outlives its cancelled connection keeps nothing of what was connected")
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

  @Test("A time that is up before the handler listens is up for it")
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

  @Test("Whoever is told of a refusal may set the interval")
  func intervalInRefusal() {
    let stage = Stage { stage in
      stage.refuses.withLock { $0 = false }
      stage.setMinimumInterval(.seconds(20))
      stage.note("set")
    }
    stage.setFetchHandler { $0.complete(.noData) }
    stage.refuses.withLock { $0 = true }
    stage.setMinimumInterval(.seconds(10))
    expectNoDifference(stage.lines, ["submit 10.0", "Refusal()", "set", "submit 20.0"])
    // Refused at a launch, the fetch begins anyway.
    stage.refuses.withLock { $0 = true }
    stage.launch()
    expectNoDifference(
      Array(stage.lines.dropFirst(4)),
      ["submit 20.0", "Refusal()", "set", "submit 20.0", "prepare", "success"]
    )
  }

  /// What a scheduler sees that many threads use.
  private final class Scheduler: Sendable {
    let isBusy = Locked(false)
    let isPending = Locked(false)
    let overlaps = Locked(0)
    let completions = Locked(0)

    func take(_ isWanted: Bool) {
      let overlapped = isBusy.withLock { isBusy in
        defer { isBusy = true }
        return isBusy
      }
      if overlapped { overlaps.withLock { $0 += 1 } }
      isPending.withLock { $0 = isWanted }
      isBusy.withLock { $0 = false }
    }

    func complete(_ isSuccess: Bool) { completions.withLock { $0 += 1 } }
  }

  @Test("Many threads: one request at a time is submitted, and a last cancellation stays")
  func threadsSubmitOneAtATime() async {
    let scheduler = Scheduler()
    let fetches = ScheduledFetches(deadline: .seconds(25), madeAt: .here()) { _ in
      scheduler.take(true)
    } cancel: {
      scheduler.take(false)
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
    expectNoDifference(scheduler.overlaps.withLock { $0 }, 0)
    #expect(!scheduler.isPending.withLock { $0 })
    expectNoDifference(scheduler.completions.withLock { $0 }, 50)
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

@Suite("Background fetch: what a scheduler is told, the machine")
struct FetchSubmissionMachineTests {
  enum Input: Hashable, CaseIterable, Sendable {
    case set10, set20, setNever, launch
    /// The thread that acts asks for more.
    case next
  }

  @Test("Every sequence up to length 7: one thread acts at a time, and the last word counts")
  func everySequence() {
    var failures: [[Input]] = []
    var count = 0

    /// - Parameters:
    ///   - open: The position of the first input that has not been acted upon.
    ///   - isActing: Whether a thread acts, which is so from an input until there is nothing left.
    func follow(
      _ past: [Input],
      _ machine: FetchSubmissionMachine,
      open: Int,
      isActing: Bool
    ) {
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
          let matters = action(sequence[...], since: past.count) != nil
          if acts != (matters && !isActing) { failures.append(sequence) }
          follow(sequence, machine, open: open, isActing: isActing || matters)
          continue
        }
        // Nobody asks that was not told to act.
        guard isActing else { continue }
        let expected = action(past[...], since: open)
        if machine.next() != expected { failures.append(sequence) }
        follow(sequence, machine, open: sequence.count, isActing: expected != nil)
      }
    }

    follow([], FetchSubmissionMachine(), open: 0, isActing: false)
    expectNoDifference(failures, [])
    #expect(count > 10000)
  }

  /// What the last input that matters asks for, among those from a position on: a launch submits
  /// what was set last before it, if anything.
  private func action(_ past: ArraySlice<Input>, since: Int) -> FetchSubmissionMachine.Action? {
    for position in past.indices.reversed() where position >= since {
      switch past[position] {
      case .set10: return .submit(after: .seconds(10))
      case .set20: return .submit(after: .seconds(20))
      case .setNever: return .cancel
      case .launch:
        let setting = past[..<position].last { [.set10, .set20, .setNever].contains($0) }
        switch setting {
        case .set10: return .submit(after: .seconds(10))
        case .set20: return .submit(after: .seconds(20))
        default: continue
        }
      case .next: continue
      }
    }
    return nil
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

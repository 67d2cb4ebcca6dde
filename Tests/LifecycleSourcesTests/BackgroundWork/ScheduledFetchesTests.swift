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
      let fetches = ScheduledFetches(deadline: .seconds(25)) { [unowned self] delay in
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
      request.complete(.newData)
      request.complete(.failed)
    }
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", "fetch", "success"])
    stage.setMinimumInterval(.seconds(900))
    stage.launch()
    expectNoDifference(
      Array(stage.lines.dropFirst(3)),
      ["submit 900.0", "submit 900.0", "prepare", "fetch", "success"]
    )
    stage.setFetchHandler(nil)
  }

  // On the main actor, where the bus ends at its release. Elsewhere it would end a moment later.
  @Test("A host that outlives its cancelled connection keeps nothing of what was connected")
  @MainActor
  func cancelledConnection() {
    let stage = Stage()
    weak var core: BackgroundFetchCore?
    weak var coordinator: BackgroundFetchCoordinator?
    weak var bus: LifecycleBus?
    do {
      let (newBus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope())
      let fetches = BackgroundFetchCoordinator(of: newBus)
      fetches.addHandler(named: "inbox", in: scope) { .newData }
      (core, coordinator, bus) = (fetches.core, fetches, newBus)
      fetches.connect(stage).cancel()
      scope.end()
    }
    #expect(core == nil && coordinator == nil && bus == nil)
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", "success"])
  }

  @Test("Zero is no delay; never takes the request back, and a launch after that submits nothing")
  func zeroIsNoDelayAndNeverTakesRequestBack() {
    let stage = Stage()
    stage.setMinimumInterval(.zero)
    stage.setMinimumInterval(nil)
    stage.launch()
    expectNoDifference(stage.lines, ["submit 0.0", "cancel", "prepare", "success"])
  }

  @Test(
    "Only a failure is no success",
    arguments: zip(BackgroundFetchResult.allCases, ["success", "success", "failure"])
  )
  func onlyFailureIsNoSuccess(_ result: BackgroundFetchResult, _ line: String) {
    let stage = Stage()
    stage.setFetchHandler { $0.complete(result) }
    stage.launch()
    expectNoDifference(stage.lines, ["prepare", line])
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
    withExtendedLifetime((connection, registration)) {}
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

  @Test("A refused request is told of, and tried again at the next launch; the fetch begins anyway")
  func refusedRequestIsRetriedAtLaunch() {
    let stage = Stage()
    stage.refuses.withLock { $0 = true }
    stage.setMinimumInterval(.seconds(10))
    stage.launch()
    expectNoDifference(
      stage.lines,
      ["submit 10.0", "Refusal()", "submit 10.0", "Refusal()", "prepare", "success"]
    )
  }

  @Test("Whoever is told of a refusal may set the interval")
  func intervalInRefusal() {
    let stage = Stage { stage in
      stage.refuses.withLock { $0 = false }
      stage.setMinimumInterval(.seconds(20))
      stage.note("set")
    }
    stage.refuses.withLock { $0 = true }
    stage.setMinimumInterval(.seconds(10))
    expectNoDifference(stage.lines, ["submit 10.0", "Refusal()", "set", "submit 20.0"])
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
    let fetches = ScheduledFetches(deadline: .seconds(25)) { _ in
      scheduler.take(true)
    } cancel: {
      scheduler.take(false)
    } onSubmitError: { _ in
    }
    let handler: @Sendable (BackgroundFetchRequest) -> Void = { $0.complete(.newData) }
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

import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Faults that other projects had, and what a bus makes of the same situation.
@MainActor
@Suite("Pitfalls")
struct PitfallTests {
  private let clock = ManualClock()
  private let bus: LifecycleBus
  private let scope = LifecycleScope("screen")

  init() {
    bus = LifecycleBus(clock: clock)
  }

  // MARK: How long the process was away, by the wrong clock

  private func stay(_ meanwhile: () -> Void) -> BackgroundStay? {
    let stays = Collector<BackgroundStay>()
    bus.backgroundStays.sink { stays($0) }.store(in: scope)
    bus.send(.didEnterBackground)
    meanwhile()
    bus.send(.willEnterForeground)
    return stays.values.last
  }

  /// On a clock that stops in sleep, it was away for ten seconds.
  @Test("A session that should have timed out while the device slept (opentelemetry-android#1363)")
  func clockThatStopsInSleep() {
    let stay = stay {
      clock.advance(by: .seconds(10))
      clock.sleepDevice(for: .seconds(8 * 3600))
    }
    expectNoDifference(stay?.timeAway, .seconds(8 * 3600 + 10))
    expectNoDifference(stay?.timeAsleep, .seconds(8 * 3600))
  }

  /// On the wall clock, it was away for less than no time, and no passcode is asked for.
  @Test("A lock that opens when the clock is set back (LTHPasscodeViewController#174)")
  func clockThatTheUserSetsBack() {
    let stay = stay {
      clock.advance(by: .seconds(600))
      clock.setWallClock(by: .seconds(-3600))
    }
    expectNoDifference(stay?.timeAway, .seconds(600))
    expectNoDifference(stay?.wallClockShift, .seconds(-3600))
  }

  // MARK: One thing happens, and is reported twice

  private func record(_ kinds: LifecycleEvent.Kinds) -> Trace {
    let trace = Trace()
    bus.addObserver(for: kinds, in: scope) { trace("\($0.kind)") }
    return trace
  }

  /// A session ended twice each time the app was closed.
  @Test("Duplicates from the application and its scene (firebase-ios-sdk#3927)")
  func applicationAndScene() throws {
    let (application, scene) = (TestSource("application"), TestSource("scene"))
    for source in [application, scene] { try bus.connect(source).store(in: scope) }
    application.feed.send(.didBecomeActive)
    let ended = record(.willResignActive)
    application.feed.send(.willResignActive)
    scene.feed.send(.willResignActive)
    scene.feed.send(.didEnterBackground)
    application.feed.send(.didEnterBackground)
    expectNoDifference(ended.lines, ["willResignActive"])
  }

  /// Suspend and resume were each reported by two centers of the system.
  @Test("Duplicates from two sources (electron#24803)")
  func twoSources() throws {
    let (one, other) = (TestSource("workspace"), TestSource("distributed"))
    for source in [one, other] { try bus.connect(source).store(in: scope) }
    one.feed.send(.didBecomeActive)
    let seen = record([.didEnterBackground, .didBecomeActive])
    one.feed.send(.didEnterBackground)
    other.feed.send(.didEnterBackground)
    other.feed.send(.didBecomeActive)
    one.feed.send(.didBecomeActive)
    expectNoDifference(seen.lines, ["didEnterBackground", "didBecomeActive"])
  }

  @Test("The system says it is active when it was (flutter#60683)")
  func repeatedBySystem() {
    let resumed = record(.didBecomeActive)
    for _ in 1...3 { bus.send(.didBecomeActive) }
    expectNoDifference(resumed.lines, ["didBecomeActive"])
    expectNoDifference(bus.diagnostics.suppressedCounts[.duplicate, default: 0], 2)
  }

  /// One alert, then two, then three.
  @Test("A screen that appears again listens once more (react-native#25041)")
  func listensOnceMore() {
    let alerts = Collector<Int>()
    for appearance in 1...3 {
      bus.addObserver(for: .didBecomeActive, in: scope, id: "alert") { _ in alerts(appearance) }
      bus.send(all: .didBecomeActive, .didEnterBackground)
    }
    expectNoDifference(alerts.values, [1, 2, 3])
  }

  /// Suspended when it resigned, resumed when it entered the foreground: stuck after the control
  /// center was opened and closed. A phase follows from every transition, so that no pair has to be
  /// chosen.
  @Test("Suspended and resumed that do not match (tauri-apps/tao#1307)")
  func pairsThatDoNotMatch() {
    bus.send(.didBecomeActive)
    let phases = Trace()
    bus.phases.sink { phases("\($0)") }.store(in: scope)
    bus.send(all: .willResignActive, .didBecomeActive)
    expectNoDifference(phases.lines, ["active", "inactive", "active"])
  }

  /// A second way out without a way in, and ways in without a way out.
  @Test("A begin that nobody began (tauri-apps/tao#1307)")
  func beginThatNobodyBegan() {
    bus.send(.willEnterForeground)
    let seen = record([.didEnterBackground, .willEnterForeground])
    bus.send(all: .didEnterBackground, .didEnterBackground)
    for _ in 1...3 { bus.send(.willEnterForeground) }
    expectNoDifference(seen.lines, ["didEnterBackground", "willEnterForeground"])
  }

  // MARK: An alert that makes the app inactive

  /// A source that asks the user for permission when it starts. Its alert makes the app inactive;
  /// the user answers it after five seconds. If the source is stopped before, the alert disappears
  /// within a second.
  @MainActor private final class SourceWithPermission {
    let values = PassthroughSubject<Int, Never>()
    private(set) var prompts = 0
    private var isPermitted = false
    private var alert: LifecycleCancellable?
    private let bus: LifecycleBus
    private let clock: ManualClock

    init(_ bus: LifecycleBus, _ clock: ManualClock) {
      self.bus = bus
      self.clock = clock
    }

    func start() {
      guard !isPermitted else { return }
      prompts += 1
      bus.send(.willResignActive)
      closeAlert(after: .seconds(5), isPermitted: true)
    }

    func stop() {
      if alert != nil { closeAlert(after: .seconds(1), isPermitted: false) }
    }

    private func closeAlert(after delay: Duration, isPermitted: Bool) {
      alert = clock.schedule(at: clock.continuous + delay) { [weak self] in
        MainActor.assumeIsolated { self?.alertDidClose(isPermitted: isPermitted) }
      }
    }

    private func alertDidClose(isPermitted: Bool) {
      alert = nil
      self.isPermitted = isPermitted
      bus.send(.didBecomeActive)
      if isPermitted { values.send(1) }
    }
  }

  @Test(
    "A permission alert that cancels its own request (mapbox-gl-native#11225)",
    arguments: [(LifecyclePhase.Condition.atLeast(.active), 6, 0), (.foreground, 1, 1)]
  )
  func permissionAlert(_ condition: LifecyclePhase.Condition, prompts: Int, values: Int) {
    let source = SourceWithPermission(bus, clock)
    let received = Collector<Int>()
    source.values
      .handleEvents(
        receiveSubscription: { _ in MainActor.assumeIsolated { source.start() } },
        receiveCancel: { MainActor.assumeIsolated { source.stop() } }
      )
      .whilePhase(condition, of: bus)
      .sink { received($0) }
      .store(in: scope)
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(5))
    expectNoDifference([source.prompts, received.values.count], [prompts, values])
    scope.end()
  }

  // MARK: Those who come late, and those who never go

  @Test("A late subscriber that wants to know (jenzz/RxAppState#1)")
  func wantsReplay() {
    bus.send(.didBecomeActive)
    let trace = Trace()
    bus.addObserver(in: scope, catchUp: .currentPhase) { trace("\($0.kind) \($0.origin)") }
    expectNoDifference(trace.lines, ["didBecomeActive catchUp"])
  }

  /// A lock screen for each return: the user opened a screen, and was locked out at once.
  @Test("A late subscriber that does not want what has passed (kotlinx.coroutines#4201)")
  func wantsNoReplay() {
    bus.send(.willEnterForeground)
    let locks = record(.willEnterForeground)
    expectNoDifference(locks.lines, [])
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(locks.lines, ["willEnterForeground"])
  }

  /// The recipe of the article *Gotchas*. A screen that was made after three returns reported that
  /// the app had been opened.
  @Test("An opening is no return, and no past event", arguments: LifecycleCatchUp.allCases)
  func openingsAndReturns(_ catchUp: LifecycleCatchUp) {
    let trace = Trace()
    func observe(_ name: String) {
      bus.addObserver(for: .willEnterForeground, in: scope, catchUp: catchUp) { event in
        guard event.origin != .catchUp else { return }
        if event.backgroundStay == nil {
          trace("\(name): opened")
        } else {
          trace("\(name): reload")
        }
      }
    }
    observe("first")
    bus.send(.didBecomeActive)
    for _ in 1...3 { bus.send(all: .didEnterBackground, .didBecomeActive) }
    observe("late")
    bus.send(all: .didEnterBackground, .didBecomeActive)
    expectNoDifference(
      trace.lines,
      ["first: opened", "first: reload", "first: reload", "first: reload"]
        + ["first: reload", "late: reload"]
    )
  }

  private final class ViewModel {
    var saved = 0

    @MainActor func observe(_ bus: LifecycleBus) {
      bus.addObserver(self, for: .didEnterBackground) { model, _ in model.saved += 1 }
    }
  }

  @Test("A view model that observes and is never released (WordPress-iOS#20994)")
  func viewModelThatObservesAndIsNeverReleased() {
    var model: ViewModel? = ViewModel()
    weak let released = model
    model?.observe(bus)
    bus.send(.didEnterBackground)
    expectNoDifference(model?.saved, 1)
    model = nil
    #expect(released == nil)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }
}

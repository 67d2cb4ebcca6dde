import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// One thing happens, and is heard twice. Each scenario runs on a subject as it is used by hand, which
/// shows the fault, and on the bus.
@MainActor
@Suite("Pitfalls: duplicates")
struct DuplicatePitfallTests {
  typealias Subject = PassthroughSubject<LifecycleEvent.Kind, Never>

  @Test("Duplicates from the application and its scene (firebase-ios-sdk#3927)")
  func applicationAndScene() throws {
    // One close of the app, reported by both kinds of notification; a session ends at each.
    func close(_ application: (LifecycleEvent.Kind) -> Void, _ scene: (LifecycleEvent.Kind) -> Void)
    {
      application(.willResignActive)
      scene(.willResignActive)
      scene(.didEnterBackground)
      application(.didEnterBackground)
    }

    let byHand = Subject()
    let endedByHand = Collector<LifecycleEvent.Kind>()
    let sink = byHand.filter { $0 == .willResignActive }.sink { endedByHand($0) }
    close({ byHand.send($0) }, { byHand.send($0) })
    expectNoDifference(endedByHand.values, [.willResignActive, .willResignActive])
    sink.cancel()

    let bus = LifecycleBus(clock: ManualClock())
    let sources = [TestSource("application"), TestSource("scene")]
    let connections = try sources.map { try bus.connect($0) }
    sources[0].input.send(.didBecomeActive)
    let ended = Collector<LifecycleEvent.Kind>()
    let token = bus.addObserver(for: [.willResignActive]) { ended($0.kind) }
    close({ sources[0].input.send($0) }, { sources[1].input.send($0) })
    expectNoDifference(ended.values, [.willResignActive])
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test("Duplicates from two sources (electron#24803)")
  func twoSources() throws {
    // Suspend and resume, each told by two centres of the system.
    let script: [(source: Int, kind: LifecycleEvent.Kind)] = [
      (0, .didEnterBackground), (1, .didEnterBackground),
      (1, .didBecomeActive), (0, .didBecomeActive),
    ]

    let byHand = [Subject(), Subject()]
    let heardByHand = Collector<LifecycleEvent.Kind>()
    let sinks = byHand.map { $0.sink { heardByHand($0) } }
    for (source, kind) in script { byHand[source].send(kind) }
    expectNoDifference(
      heardByHand.values,
      [.didEnterBackground, .didEnterBackground, .didBecomeActive, .didBecomeActive]
    )
    for sink in sinks { sink.cancel() }

    let bus = LifecycleBus(clock: ManualClock())
    let sources = [TestSource("workspace"), TestSource("distributed")]
    let connections = try sources.map { try bus.connect($0) }
    sources[0].input.send(.didBecomeActive)
    let heard = Collector<LifecycleEvent.Kind>()
    let token = bus.addObserver(for: [.didEnterBackground, .didBecomeActive]) { heard($0.kind) }
    for (source, kind) in script { sources[source].input.send(kind) }
    expectNoDifference(heard.values, [.didEnterBackground, .didBecomeActive])
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test("The system says it is active when it was (flutter#60683)")
  func repeatedBySystem() {
    let reports: [LifecycleEvent.Kind] = [.didBecomeActive, .didBecomeActive, .didBecomeActive]

    let byHand = Subject()
    let resumedByHand = Collector<LifecycleEvent.Kind>()
    let sink = byHand.sink { resumedByHand($0) }
    for report in reports { byHand.send(report) }
    expectNoDifference(resumedByHand.values.count, 3)
    sink.cancel()

    let bus = LifecycleBus(clock: ManualClock())
    let resumed = Collector<LifecycleEvent.Kind>()
    let token = bus.addObserver(for: [.didBecomeActive]) { resumed($0.kind) }
    for report in reports { bus.send(report) }
    expectNoDifference(resumed.values.count, 1)
    expectNoDifference(bus.suppressedCount(.duplicate), 2)
    token.cancel()
  }

  @Test("A screen that appears again listens once more (react-native#25041)")
  func listensOnceMore() {
    let byHand = Subject()
    let alertsByHand = Collector<Int>()
    var sinks: Set<AnyCancellable> = []
    for appearance in 1...3 {
      byHand.sink { _ in alertsByHand(appearance) }.store(in: &sinks)
      byHand.send(.didBecomeActive)
    }
    // One alert, then two, then three.
    expectNoDifference(alertsByHand.values.count, 1 + 2 + 3)
    sinks = []

    let bus = LifecycleBus(clock: ManualClock())
    let scope = LifecycleScope("screen")
    let alerts = Collector<Int>()
    for appearance in 1...3 {
      bus.addObserver(for: [.didBecomeActive], in: scope, id: "alert") { _ in alerts(appearance) }
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
    }
    expectNoDifference(alerts.values, [1, 2, 3])
    scope.end()
  }

  @Test("Suspended and resumed that do not match (tauri-apps/tao#1307)")
  func pairsThatDoNotMatch() {
    // The control centre is opened and closed: the app resigns, and never leaves the foreground.
    let script: [LifecycleEvent.Kind] = [.willResignActive, .didBecomeActive]

    // By hand: suspended when it resigns, resumed when it enters the foreground.
    let byHand = PassthroughSubject<LifecycleEvent.Kind, Never>()
    let isSuspended = CurrentValueSubject<Bool, Never>(false)
    let sinks = [
      byHand.filter { $0 == .willResignActive }.sink { _ in isSuspended.send(true) },
      byHand.filter { $0 == .willEnterForeground }.sink { _ in isSuspended.send(false) },
    ]
    for kind in script { byHand.send(kind) }
    #expect(isSuspended.value, "stuck, although the app is active")
    for sink in sinks { sink.cancel() }

    // The phase follows from every transition; no pair has to be chosen.
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let phases = Trace()
    let sink = bus.phases.sink { phases($0.rawValue) }
    for kind in script { bus.send(kind) }
    expectNoDifference(phases.lines, ["active", "inactive", "active"])
    sink.cancel()
  }

  @Test("A begin that nobody began (tauri-apps/tao#1307)")
  func beginThatNobodyBegan() {
    // A second way out without a way in, and a way in without a way out.
    let script: [LifecycleEvent.Kind] = [
      .didEnterBackground, .didEnterBackground, .willEnterForeground, .willEnterForeground,
      .willEnterForeground,
    ]
    func depth(_ kinds: [LifecycleEvent.Kind]) -> [Int] {
      var depth = 0
      return kinds.map { kind in
        depth += kind == .didEnterBackground ? 1 : kind == .willEnterForeground ? -1 : 0
        return depth
      }
    }

    let byHand = Subject()
    let heardByHand = Collector<LifecycleEvent.Kind>()
    let sink = byHand.sink { heardByHand($0) }
    for kind in script { byHand.send(kind) }
    expectNoDifference(depth(heardByHand.values), [1, 2, 1, 0, -1])
    sink.cancel()

    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willEnterForeground)
    let heard = Collector<LifecycleEvent.Kind>()
    let token = bus.addObserver { heard($0.kind) }
    for kind in script { bus.send(kind) }
    expectNoDifference(depth(heard.values), [1, 0])
    token.cancel()
  }
}

import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G5 Joining")
struct G05JoiningTests {
  @Test(
    "One that joins in a delivery gets what follows, not the event in delivery",
    arguments: BusKind.allCases,
    ObserverForm.ofEvents
  )
  func joinsInDelivery(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let joined = UncheckedBox<Registration>()
    let first = bus.addObserver { [unowned bus] event in
      trace(event.shortLine)
      // Going up and going down: the registration stands behind, and in front, of the one at work.
      if event.kind == .willResignActive { joined.value = form.observe(bus) { trace($0) } }
    }
    bus.send(all: .didBecomeActive)
    _ = trace.take()
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "4 willResignActive",
        form.rawValue, "5 didEnterBackground",
        "6 willEnterForeground", form.rawValue,
      ]
    )
    first.cancel()
    joined.value?.cancel()
  }

  @Test("One that joins going up does not get the event in delivery", arguments: BusKind.allCases)
  func joinsGoingUp(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let first = bus.addObserver { [unowned bus] event in
      guard event.kind == .didFinishLaunching else { return }
      bus.addObserver(in: scope) { trace($0.shortLine) }
      bus.send(.systemDidWake)
    }
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["2 willEnterForeground", "3 systemDidWake"])
    first.cancel()
  }

  @Test("Catch-up is none by default", arguments: BusKind.allCases)
  func noneByDefault(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let registrations = [ObserverForm.token, .scope, .owner, .events, .publisher].map {
      $0.observe(bus) { trace($0) }
    }
    expectNoDifference(trace.lines, [])
    for registration in registrations { registration.cancel() }
  }

  @Test("Catch-up tells the upward steps to each phase", arguments: BusKind.allCases)
  func catchUpInEveryPhase(_ kind: BusKind) {
    let trace = Trace()
    let ways: [(String, [LifecycleEvent.Kind])] = [
      ("unknown", []), ("background", [.didFinishLaunching]), ("inactive", [.willEnterForeground]),
      ("active", [.didBecomeActive]), ("inactive again", [.willResignActive]),
      ("background again", [.didEnterBackground]), ("terminated", [.willTerminate]),
    ]
    for (name, way) in ways {
      for catchUp in LifecycleCatchUp.allCases {
        let bus = kind.make()
        for step in way { bus.send(step) }
        let told = Trace()
        let token = bus.addObserver(catchUp: catchUp) { told($0.kind.rawValue) }
        token.cancel()
        if !told.lines.isEmpty {
          trace("\(name), \(catchUp): \(told.lines.joined(separator: " "))")
        }
      }
    }
    expectNoDifference(
      trace.lines,
      [
        "background, currentPhase: didFinishLaunching",
        "background, path: didFinishLaunching",
        "inactive, currentPhase: willEnterForeground",
        "inactive, path: didFinishLaunching willEnterForeground",
        "active, currentPhase: didBecomeActive",
        "active, path: didFinishLaunching willEnterForeground didBecomeActive",
        "inactive again, currentPhase: willEnterForeground",
        "inactive again, path: didFinishLaunching willEnterForeground",
        "background again, currentPhase: didFinishLaunching",
        "background again, path: didFinishLaunching",
      ]
    )
  }

  @Test(
    "Catch-up events: number and instant of the last event, no stay",
    arguments: BusKind.allCases
  )
  func contentsOfCatchUpEvents(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(60))
    bus.send(.willEnterForeground, metadata: ["text": "of the source"])
    let instant = clock.now
    clock.advance(by: .seconds(60))
    let seen = Locked<[LifecycleEvent]>([])
    let token = bus.addObserver(catchUp: .path) { event in seen.withLock { $0.append(event) } }
    expectNoDifference(
      seen.withLock { $0 },
      [
        LifecycleEvent(
          kind: .didFinishLaunching,
          previousPhase: .unknown,
          phase: .background,
          sequenceNumber: 4,
          instant: instant,
          origin: .catchUp
        ),
        LifecycleEvent(
          kind: .willEnterForeground,
          previousPhase: .background,
          phase: .inactive,
          sequenceNumber: 4,
          instant: instant,
          origin: .catchUp
        ),
      ]
    )
    // They are not counted: the next event has the next number.
    bus.send(.systemDidWake)
    expectNoDifference(seen.withLock { $0.last?.sequenceNumber }, 5)
    token.cancel()
  }

  @Test("The filter applies to catch-up, in every form that has it", arguments: BusKind.allCases)
  func filterAppliesToCatchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope()
    let owner = Owner()
    let kinds: LifecycleEvent.Kinds = [.didFinishLaunching, .didBecomeActive, .didEnterBackground]
    let token = bus.addObserver(for: kinds, catchUp: .path) { trace("token \($0.line)") }
    bus.addObserver(for: kinds, in: scope, catchUp: .path) { trace("scope \($0.line)") }
    bus.addObserver(owner, for: kinds, catchUp: .path) { trace("owner \($1.line)") }
    bus.publisher(for: [.didFinishLaunching, .didBecomeActive], catchUp: .path)
      .sink { trace("publisher \($0.line)") }.store(in: scope)
    // The last upward step is none of the kinds wanted: nothing, and not the last wanted one.
    bus.addObserver(for: [.willEnterForeground], in: scope, catchUp: .currentPhase) {
      trace("filtered out \($0.line)")
    }
    bus.addObserver(for: [], in: scope, catchUp: .path) { trace("no kinds \($0.line)") }
    let told = [
      "3 didFinishLaunching unknown→background catchUp",
      "3 didBecomeActive inactive→active catchUp",
    ]
    expectNoDifference(
      trace.lines,
      ["token", "scope", "owner", "publisher"].flatMap { form in told.map { "\(form) \($0)" } }
    )
    token.cancel()
    withExtendedLifetime(owner) {}
  }

  @Test(
    "Catch-up has run when the call returns, if nothing is in delivery",
    arguments: BusKind.allCases
  )
  func catchUpBeforeTheCallReturns(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let trace = Trace()
    trace("registering")
    let token = bus.addObserver(catchUp: .currentPhase) { trace($0.line) }
    trace("registered")
    token.cancel()
    expectNoDifference(
      trace.lines,
      ["registering", "1 didFinishLaunching unknown→background catchUp", "registered"]
    )
  }

  @Test(
    "Catch-up in a delivery: after it, before the next, first come first served",
    arguments: BusKind.allCases
  )
  func catchUpInDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let first = bus.addObserver(for: [.didFinishLaunching]) { [unowned bus] _ in
      bus.send(.systemDidWake)
      bus.addObserver(in: scope, catchUp: .path) { trace("B \($0.line)") }
      bus.publisher(for: [.didFinishLaunching, .willEnterForeground], catchUp: .currentPhase)
        .sink { trace("C \($0.line)") }.store(in: scope)
      bus.phases.sink { trace("D \($0)") }.store(in: scope)
      trace("registered")
    }
    let last = bus.addObserver { trace("E \($0.shortLine)") }
    bus.send(.willEnterForeground)
    first.cancel()
    last.cancel()
    expectNoDifference(
      trace.lines,
      [
        "registered",
        "E 1 didFinishLaunching",
        "B 1 didFinishLaunching unknown→background catchUp",
        "C 1 didFinishLaunching unknown→background catchUp",
        "D background",
        "E 2 willEnterForeground",
        "B 2 willEnterForeground background→inactive manual",
        "C 2 willEnterForeground background→inactive manual",
        "D inactive",
        "E 3 systemDidWake",
        "B 3 systemDidWake inactive→inactive manual",
      ]
    )
  }

  @Test("phase, phases and catch-up speak of the delivered phase", arguments: BusKind.allCases)
  func deliveredPhase(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    trace("\(bus.phase)")
    bus.addObserver(in: scope) { [unowned bus] event in
      trace("\(event.kind): \(bus.phase)")
      guard event.kind == .willEnterForeground else { return }
      bus.send(.willTerminate)
      bus.phases.first().sink { trace("phases: \($0)") }.store(in: scope)
      bus.addObserver(in: scope, catchUp: .currentPhase) {
        if $0.origin == .catchUp { trace("catch-up: \($0.phase)") }
      }
      trace("accepted willTerminate: \(bus.phase)")
    }
    bus.send(.didBecomeActive)
    trace("\(bus.phase)")
    expectNoDifference(
      trace.lines,
      [
        "unknown",
        "didFinishLaunching: background",
        "willEnterForeground: inactive",
        "accepted willTerminate: inactive",
        "phases: inactive",
        "catch-up: inactive",
        "didBecomeActive: active",
        "willResignActive: inactive",
        "didEnterBackground: background",
        "willTerminate: terminated",
        "terminated",
      ]
    )
  }

  @Test(
    "phases starts with the phase and tells each change, but no notices",
    arguments: BusKind.allCases
  )
  func phasesStartsWithPhaseAndTellsEachChange(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let early = bus.phases.sink { trace("early \($0)") }
    bus.send(all: .willEnterForeground, .systemDidWake, .willEnterForeground)
    let late = bus.phases.sink { trace("late \($0)") }
    bus.send(.didEnterBackground)
    early.cancel()
    late.cancel()
    expectNoDifference(
      trace.lines,
      [
        "early unknown", "early background", "early inactive", "late inactive",
        "late background", "early background",
      ]
    )
  }

  @Test("One that joins before an accepted event is delivered receives it")
  func joinsBeforeAcceptedEvent() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let outcome = onOtherThread { bus.send(.willEnterForeground) }
    expectNoDifference(outcome, .queued)
    let token = bus.addObserver { trace($0.shortLine) }
    expectNoDifference(bus.phase, .unknown)
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["1 didFinishLaunching", "2 willEnterForeground"])
    token.cancel()
  }
}

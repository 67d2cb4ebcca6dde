import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G5 Joining")
struct G05JoiningTests {
  @Test(
    "An observer that joins in a delivery receives the next event, not that one",
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

  @Test("An observer is given no catch-up by default", arguments: BusKind.allCases)
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

  @Test("Catch-up consists of the upward steps to the phase", arguments: BusKind.allCases)
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
        let received = Trace()
        let token = bus.addObserver(catchUp: catchUp) { received($0.kind.rawValue) }
        token.cancel()
        if !received.lines.isEmpty {
          trace("\(name), \(catchUp): \(received.lines.joined(separator: " "))")
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
    "Catch-up events have the number and instant of the last event, and no stay",
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

  @Test(
    "Catch-up has run when the registering call returns, if nothing is in delivery",
    arguments: BusKind.allCases
  )
  func catchUpBeforeTheCallReturns(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    trace("registering")
    // The filter applies to catch-up, too.
    let kinds: LifecycleEvent.Kinds = [.didFinishLaunching, .didBecomeActive]
    let token = bus.addObserver(for: kinds, catchUp: .path) { trace($0.line) }
    trace("registered")
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "registering",
        "3 didFinishLaunching unknown→background catchUp",
        "3 didBecomeActive inactive→active catchUp",
        "registered",
      ]
    )
  }

  @Test(
    "Catch-up in a delivery runs before the next event, in order of registration",
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

  @Test("phase, phases and catch-up have the delivered phase", arguments: BusKind.allCases)
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

  @Test("An observer that joins before an accepted event is delivered receives it")
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

@MainActor
@Suite("G5 Joining: openings")
struct G05OpeningTests {
  private let clock = ManualClock()
  private let trace = Trace()
  private let scope = LifecycleScope("openings")

  @Test(
    "An observer that joins in the foreground is given the opening, unless it asks not to",
    arguments: BusKind.allCases
  )
  func joinsInEveryPhase(_ kind: BusKind) {
    let ways: [(String, [LifecycleEvent.Kind])] = [
      ("unknown", []), ("background", [.didFinishLaunching]), ("inactive", [.willEnterForeground]),
      ("left", [.didEnterBackground]), ("inactive", [.willEnterForeground]),
      ("active", [.didBecomeActive]), ("inactive again", [.willResignActive]),
      ("active again", [.didBecomeActive]), ("background again", [.didEnterBackground]),
      ("terminated", [.willTerminate]),
    ]
    /// What an observer receives that joins in each phase, and leaves in the next.
    func lines(_ observe: (any LifecycleBusProtocol, @escaping (LifecycleOpening) -> Void) -> Void)
      -> [String]
    {
      let (bus, start) = (kind.make(clock: clock), clock.now)
      for (name, way) in ways {
        for step in way {
          clock.advance(by: .seconds(10))
          bus.send(step)
        }
        observe(bus) { [trace] in
          let instant = start.duration(to: $0.instant).text
          trace("\(name): \($0.number) at \(instant), \(line($0))")
        }
      }
      return trace.take()
    }
    func lines(_ moment: LifecycleOpening.Moment, initial: Bool) -> [String] {
      lines { [scope] bus, body in
        let body = UncheckedBox(body)
        bus.onOpen(at: moment, in: scope, id: "load", initial: initial) { body.value?($0) }
      }
    }
    let visible = [
      "background: 1 at 20 s, first, 10 s", "inactive: 1 at 20 s, first, 10 s",
      "left: 2 at 40 s, away 10 s, 10 s", "inactive: 2 at 40 s, away 10 s, 10 s",
      "active: 2 at 40 s, away 10 s, 10 s",
      "inactive again: 2 at 40 s, away 10 s, 10 s", "active again: 2 at 40 s, away 10 s, 10 s",
    ]
    expectNoDifference(lines(.visible, initial: true), visible)
    var subscription: AnyCancellable?
    expectNoDifference(lines { subscription = $0.openings.sink(receiveValue: $1) }, visible)
    subscription?.cancel()
    expectNoDifference(
      lines(.visible, initial: false),
      ["background: 1 at 20 s, first, 10 s", "left: 2 at 40 s, away 10 s, 10 s"]
    )
    // The first opening never became active. The second one did while an observer was waiting.
    let active = visible.suffix(4)
    expectNoDifference(lines(.active, initial: true), Array(active))
    expectNoDifference(lines(.active, initial: false), Array(active.prefix(1)))
  }

  @Test(
    "An observer that joins in a delivery is given the opening once, before the next event",
    arguments: BusKind.allCases
  )
  func joinsInDelivery(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let first = bus.addObserver { [unowned bus, scope, trace] event in
      trace("\(event.kind)")
      bus.onOpen(in: scope, id: 1, initial: false) { trace("next: \(line($0))") }
      bus.onOpen(in: scope, id: 2) { trace("visible: \(line($0))") }
      bus.onOpen(at: .active, in: scope, id: 3) { trace("active: \(line($0))") }
    }
    bus.send(all: .didBecomeActive, .didEnterBackground)
    // Each is replaced by the next one, which does not receive the event in delivery.
    expectNoDifference(
      trace.take(),
      [
        "didFinishLaunching",
        "willEnterForeground", "visible: first, 0 s",
        "didBecomeActive", "visible: first, 0 s", "active: first, 0 s",
        "willResignActive", "visible: first, 0 s", "active: first, 0 s",
        "didEnterBackground",
      ]
    )
    first.cancel()
    bus.send(all: .didBecomeActive, .willResignActive, .didBecomeActive)
    expectNoDifference(
      trace.lines,
      ["next: away 0 s, 0 s", "visible: away 0 s, 0 s", "active: away 0 s, 0 s"]
    )
  }

  @Test("An observer that joins on another thread is given the opening on the main actor")
  func catchUpFromOtherThread() async {
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    onOtherThread { [scope, trace] in
      bus.onOpen(in: scope) { trace(line($0)) }
    }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["first, 0 s"])
  }
}

/// `first, 2 s`, or `away 90 s, 90 s`.
private func line(_ opening: LifecycleOpening) -> String {
  let start = opening.isFirst ? "first" : opening.stay?.description ?? "no stay"
  return "\(start), \(opening.timeAway.components.seconds) s"
}

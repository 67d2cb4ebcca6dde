import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G8 The end")
struct G08TheEndTests {
  /// Traces the values and the completion of a stream.
  private nonisolated func record<Output>(
    _ stream: LifecyclePublisher<Output>,
    _ name: String,
    _ trace: Trace,
    in scope: LifecycleScope,
    _ text: @escaping (Output) -> String
  ) {
    stream.sink { _ in
      trace("\(name) finished")
    } receiveValue: {
      trace("\(name) \(text($0))")
    }
    .store(in: scope)
  }

  /// Traces the values and the completion of every stream.
  private func recordAll(
    _ bus: any LifecycleBusProtocol,
    _ trace: Trace,
    in scope: LifecycleScope
  ) {
    record(bus.events, "events", trace, in: scope, \.kind.rawValue)
    record(bus.publisher(for: .willTerminate), "publisher", trace, in: scope, \.kind.rawValue)
    record(bus.phases, "phases", trace, in: scope, \.rawValue)
    record(bus.backgroundStays, "stays", trace, in: scope, \.description)
    record(bus.suppressedInputs, "suppressed", trace, in: scope, \.line)
  }

  @Test("All streams but suppressed inputs finish after the end", arguments: BusKind.allCases)
  func streamsFinishAfterWillTerminate(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    recordAll(bus!, trace, in: scope)
    bus!.send(.willTerminate)
    expectNoDifference(
      trace.take(),
      [
        "phases unknown",
        "phases terminated", "publisher willTerminate", "events willTerminate",
        "events finished", "publisher finished", "phases finished", "stays finished",
      ]
    )
    bus!.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["suppressed didBecomeActive terminated manual"])
    expectNoDifference(bus!.diagnostics.suppressedCounts[.terminated, default: 0], 1)
    expectNoDifference(bus!.phase, .terminated)
    bus = nil
    expectNoDifference(trace.take(), ["suppressed finished"])
    scope.end()
  }

  @Test(
    "Subscribers that join after the end receive the phase and the completion",
    arguments: BusKind.allCases
  )
  func lateSubscribers(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(all: .didBecomeActive, .willTerminate)
    let trace = Trace()
    let scope = LifecycleScope()
    recordAll(bus, trace, in: scope)
    let late = bus.publisher(for: .didFinishLaunching, catchUp: .path)
    record(late, "catch-up", trace, in: scope, \.kind.rawValue)
    expectNoDifference(
      trace.take(),
      [
        "events finished", "publisher finished", "phases terminated", "phases finished",
        "stays finished", "catch-up finished",
      ]
    )
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["suppressed systemDidWake terminated manual"])
    scope.end()
  }

  @Test(
    "Subscribers that join in the last delivery receive the phase and the completion",
    arguments: BusKind.allCases
  )
  func subscribersInTheLastDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let token = bus.addObserver { [self, unowned bus] _ in
      record(bus.phases, "phases", trace, in: scope, \.rawValue)
      record(bus.events, "events", trace, in: scope, \.kind.rawValue)
      bus.addObserver(in: scope, catchUp: .path) { trace($0.line) }
    }
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["phases terminated", "phases finished", "events finished"])
    token.cancel()
    scope.end()
  }

  @Test("Observers that join after the end are not registered", arguments: BusKind.allCases)
  func lateObservers(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willTerminate)
    let trace = Trace()
    let scope = LifecycleScope()
    let owner = Owner()
    let token = bus.addObserver(catchUp: .path) { trace($0.line) }
    bus.addObserver(in: scope, catchUp: .path) { trace($0.line) }
    bus.addObserver(owner, catchUp: .path) { trace($1.line) }
    bus.onReturn(in: scope) { _ in trace("return") }
    bus.send(all: .didBecomeActive, .systemDidWake)
    expectNoDifference(trace.lines, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    #expect(token.isCancelled)
    withExtendedLifetime(owner) {}
  }

  @Test("Releasing a bus delivers what was accepted, then finishes", arguments: BusKind.allCases)
  func releaseDeliversFirst(_ kind: BusKind) {
    let trace = Trace()
    let scope = LifecycleScope()
    let box = UncheckedBox(kind.make())
    recordAll(box.value!, trace, in: scope)
    box.value!.addObserver(in: scope) { event in
      guard event.kind == .didFinishLaunching else { return }
      box.value!.send(all: .willEnterForeground, .willEnterForeground)
      box.value = nil
      trace("released")
    }
    box.value!.send(.didFinishLaunching)
    expectNoDifference(
      trace.lines,
      [
        "phases unknown", "events didFinishLaunching", "phases background", "released",
        "events willEnterForeground", "phases inactive",
        "suppressed willEnterForeground duplicate manual",
        "events finished", "publisher finished", "phases finished", "stays finished",
        "suppressed finished",
      ]
    )
    #expect(box.value == nil)
  }

  @Test(
    "Publishers, subscriptions, tokens and connections do not keep a bus alive",
    arguments: BusKind.allCases
  )
  func nothingKeepsTheBus(_ kind: BusKind) throws {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    weak let weakBus = bus
    let scope = LifecycleScope()
    let later = LifecycleScope()
    let trace = Trace()
    let owner = Owner()
    let events = bus!.events
    let phases = bus!.phases
    let suppressedInputs = bus!.suppressedInputs
    let token = bus!.addObserver { _ in }
    let connection = try bus!.connect(TestSource())
    bus!.addObserver(in: scope) { _ in }
    bus!.addObserver(owner) { _, _ in }
    recordAll(bus!, Trace(), in: scope)
    scope.end(at: .willTerminate, of: bus!)
    bus!.send(.didBecomeActive)
    bus = nil
    #expect(weakBus == nil)
    // The event that it waited for does not come.
    #expect(scope.isEnded)
    // A publisher that outlives the bus finishes at once; the phase is known.
    record(events, "events", trace, in: later, \.kind.rawValue)
    record(phases, "phases", trace, in: later, \.rawValue)
    record(suppressedInputs, "suppressed", trace, in: later, \.line)
    expectNoDifference(
      trace.lines,
      ["events finished", "phases active", "phases finished", "suppressed finished"]
    )
    later.end()
    #expect(token.isCancelled)
    withExtendedLifetime((connection, owner)) {}
  }

  @Test("A main-actor bus that is released on another thread finishes on the main actor")
  func releasedElsewhere() async {
    let trace = Trace()
    let scope = LifecycleScope()
    let box = UncheckedBox(LifecycleBus())
    box.value!.events.sink { _ in
      MainActor.assertIsolated()
      trace("finished")
    } receiveValue: {
      trace($0.shortLine)
    }
    .store(in: scope)
    onOtherThread {
      box.value!.send(.didFinishLaunching)
      box.value = nil
    }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["1 didFinishLaunching", "finished"])
    scope.end()
  }

  @Test(
    "Inputs of a source after the end, its disconnection or the release are suppressed",
    arguments: BusKind.allCases
  )
  func sourceOutlivesTheBus(_ kind: BusKind) throws {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let source = TestSource()
    var connection = try bus!.connect(source)
    bus!.send(.willTerminate)
    expectNoDifference(source.feed.send(.didBecomeActive), .suppressed(.terminated))
    connection.cancel()
    expectNoDifference(source.feed.send(.didBecomeActive), .suppressed(.disconnected))
    expectNoDifference(source.feed.send(.systemDidWake), .suppressed(.disconnected))
    expectNoDifference(bus!.send(.systemDidWake), .suppressed(.terminated))
    bus = kind.make()
    connection = try bus!.connect(source)
    bus = nil
    expectNoDifference(source.feed.send(.didFinishLaunching), .suppressed(.terminated))
    connection.cancel()
  }
}

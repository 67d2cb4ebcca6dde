import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Which observer is being called, as a delivery with a deadline names it.
@MainActor
@Suite("G7 Where observers run: which observer runs")
struct G07RunningObserverTests {
  /// Registers an observer that traces who runs, and says in which line it did.
  private func observe(
    _ bus: any LifecycleBusProtocol,
    _ trace: Trace,
    _ name: String,
    line: UInt,
    catchUp: LifecycleCatchUp = .nothing,
    _ then: @escaping @Sendable (LifecycleEvent) -> Void = { _ in }
  ) -> LifecycleSubscription {
    bus.addObserver(catchUp: catchUp, fileID: "App/Model.swift", line: line) {
      [unowned bus] event in
      trace("\(name): \(Self.running(bus))")
      then(event)
      trace("\(name): \(Self.running(bus))")
    }
  }

  private nonisolated static func running(_ bus: any LifecycleBusProtocol) -> String {
    guard let observer = bus.core.runningObserver else { return "nobody" }
    return observer.line.map { "line \($0)" } ?? "no line"
  }

  @Test("In an event that is delivered at once, and in queued ones", arguments: BusKind.allCases)
  func runningObserverInImmediateAndQueuedEvents(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let tokens = [
      observe(bus, trace, "first", line: 11) { [unowned bus] event in
        if event.sequenceNumber == 1 { bus.send(.systemDidWake) }
      },
      observe(bus, trace, "second", line: 12),
    ]
    bus.send(.systemWillSleep)
    let once = ["first: line 11", "first: line 11", "second: line 12", "second: line 12"]
    expectNoDifference(trace.take(), once + once)
    expectNoDifference(Self.running(bus), "nobody")
    // Of a skipped path, the first step is delivered at once and the others are queued.
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, once + once)
    expectNoDifference(Self.running(bus), "nobody")
    for token in tokens { token.cancel() }
  }

  @Test("In a catch-up, alone and between two events", arguments: BusKind.allCases)
  func catchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let trace = Trace()
    let alone = observe(bus, trace, "alone", line: 21, catchUp: .currentPhase)
    expectNoDifference(trace.take(), ["alone: line 21", "alone: line 21"])
    expectNoDifference(Self.running(bus), "nobody")
    alone.cancel()
    let box = UncheckedBox<LifecycleSubscription>()
    let joining = observe(bus, trace, "joining", line: 22) { [unowned bus] _ in
      MainActor.assumeIsolated {
        box.value = self.observe(bus, trace, "joined", line: 23, catchUp: .currentPhase)
      }
    }
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.lines,
      ["joining: line 22", "joining: line 22", "joined: line 23", "joined: line 23"]
    )
    expectNoDifference(Self.running(bus), "nobody")
    joining.cancel()
    box.value?.cancel()
  }

  @Test(
    "In a sink: its first value, its values, its completion; in a subscriber",
    arguments: BusKind.allCases
  )
  func firstValueOfAStream(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let line: UInt = #line + 6
    let sink = bus.phases.sink { [unowned bus] _ in
      trace("finished: \(Self.running(bus))")
    } receiveValue: { [unowned bus] in
      trace("\($0): \(Self.running(bus))")
    }
    let subscriber = bus.publisher(for: .willTerminate).map { $0 }.sink { [unowned bus] _ in
      trace("subscriber finished: \(Self.running(bus))")
    } receiveValue: { [unowned bus] _ in
      trace("subscriber: \(Self.running(bus))")
    }
    bus.send(all: .didFinishLaunching, .willTerminate)
    expectNoDifference(
      trace.lines,
      [
        "unknown: no line", "background: no line", "subscriber: line \(line)",
        "terminated: no line", "finished: no line", "subscriber finished: line \(line)",
      ]
    )
    expectNoDifference(Self.running(bus), "nobody")
    withExtendedLifetime((sink, subscriber)) {}
  }

  @Test("In a subscriber of suppressed inputs; not after it", arguments: BusKind.allCases)
  func suppressedInputs(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let cancellable = bus.suppressedInputs.sink { [unowned bus] _ in
      trace(bus.core.runningObserver?.description ?? "nobody")
    }
    bus.send(all: .didFinishLaunching, .didFinishLaunching)
    expectNoDifference(trace.lines, ["a subscriber of a publisher"])
    expectNoDifference(Self.running(bus), "nobody")
    cancellable.cancel()
  }

  @Test("A dead observer is passed over, not named", arguments: BusKind.allCases)
  func deadObserver(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<LifecycleSubscription>()
    let first = observe(bus, trace, "first", line: 31) { _ in box.value?.cancel() }
    box.value = observe(bus, trace, "second", line: 32)
    let third = observe(bus, trace, "third", line: 33)
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.lines,
      ["first: line 31", "first: line 31", "third: line 33", "third: line 33"]
    )
    // Nothing was queued behind this one that would have reset the name.
    bus.send(.systemDidWake)
    expectNoDifference(Self.running(bus), "nobody")
    for token in [first, third] { token.cancel() }
  }
}

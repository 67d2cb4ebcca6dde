import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// OpenCombine's `sink`, whose closure the bus calls directly.
@MainActor
@Suite("Sink")
struct SinkTests {
  /// Traces the values and the completion of every stream of events.
  private func sinks(_ bus: any LifecycleBusProtocol, _ trace: Trace) -> [AnyCancellable] {
    [
      bus.events.sink { _ in
        trace("events finished")
      } receiveValue: {
        trace("events \($0.shortLine)")
      },
      bus.phases.sink { _ in
        trace("phases finished")
      } receiveValue: {
        trace("phases \($0)")
      },
      bus.backgroundStays.sink { _ in
        trace("stays finished")
      } receiveValue: {
        trace("stays \($0.duration.components.seconds) s")
      },
      bus.publisher(for: [.willEnterForeground, .systemDidWake]).sink { _ in
        trace("publisher finished")
      } receiveValue: {
        trace("publisher \($0.shortLine)")
      },
    ]
  }

  @Test("Values in order, then the completion, once, at willTerminate", arguments: BusKind.allCases)
  func completionAtTermination(_ kind: BusKind) {
    let clock = ManualClock()
    var bus: (any LifecycleBusProtocol)? = kind.make(clock: clock)
    let trace = Trace()
    let cancellables = sinks(bus!, trace)
    bus!.send(.didEnterBackground)
    clock.advance(by: .seconds(8))
    bus!.send(all: .systemDidWake, .willEnterForeground)
    expectNoDifference(
      trace.take(),
      [
        "phases unknown",
        "events 1 didFinishLaunching", "phases background",
        "events 2 willEnterForeground", "phases inactive", "publisher 2 willEnterForeground",
        "phases background", "events 3 didEnterBackground",
        "events 4 systemDidWake", "publisher 4 systemDidWake",
        "events 5 willEnterForeground", "phases inactive", "stays 8 s",
        "publisher 5 willEnterForeground",
      ]
    )
    bus!.send(.willTerminate)
    expectNoDifference(
      trace.take(),
      [
        "phases background", "events 6 didEnterBackground",
        "phases terminated", "events 7 willTerminate",
        "events finished", "phases finished", "stays finished", "publisher finished",
      ]
    )
    bus!.send(.systemDidWake)
    bus = nil
    for cancellable in cancellables { cancellable.cancel() }
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "Without a transition the completion comes once, when the bus is released",
    arguments: BusKind.allCases
  )
  func completionOnRelease(_ kind: BusKind) {
    let box = UncheckedBox(kind.make())
    let trace = Trace()
    let cancellables = sinks(box.value!, trace)
    let token = box.value!.addObserver(for: [.didFinishLaunching]) { _ in
      box.value!.send(.systemDidWake)
      box.value = nil
      trace("released")
    }
    box.value!.send(.didFinishLaunching)
    expectNoDifference(
      trace.lines,
      [
        "phases unknown", "events 1 didFinishLaunching", "phases background", "released",
        "events 2 systemDidWake", "publisher 2 systemDidWake",
        "events finished", "phases finished", "stays finished", "publisher finished",
      ]
    )
    #expect(box.value == nil)
    token.cancel()
    withExtendedLifetime(cancellables) {}
  }

  @Test("A latecomer gets the last phase, and its completion", arguments: BusKind.allCases)
  func latecomerGetsLastPhase(_ kind: BusKind) {
    let afterTermination = kind.make()
    afterTermination.send(all: .didBecomeActive, .willTerminate)
    let trace = Trace()
    var cancellables = sinks(afterTermination, trace)
    let finished = ["stays finished", "publisher finished"]
    expectNoDifference(
      trace.take(),
      ["events finished", "phases terminated", "phases finished"] + finished
    )
    #expect(afterTermination.liveSubscriptions.isEmpty)
    // Publishers that outlive their bus.
    var released: (any LifecycleBusProtocol)? = kind.make()
    released!.send(.didBecomeActive)
    let (events, phases) = (released!.events, released!.phases)
    released = nil
    cancellables += [
      events.sink { _ in
        trace("events finished")
      } receiveValue: { _ in
        trace("value")
      },
      phases.sink { _ in
        trace("phases finished")
      } receiveValue: {
        trace("\($0)")
      },
    ]
    expectNoDifference(trace.lines, ["events finished", "active", "phases finished"])
    withExtendedLifetime(cancellables) {}
  }

  @Test(
    "One that joins in the last delivery: no value, the completion",
    arguments: BusKind.allCases
  )
  func joinsInTheLastDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<[AnyCancellable]>()
    let token = bus.addObserver { [unowned bus] _ in
      MainActor.assumeIsolated { box.value = self.sinks(bus, trace) }
      trace("joined")
    }
    bus.send(.willTerminate)
    expectNoDifference(
      trace.lines,
      [
        "joined", "phases terminated", "events finished", "phases finished", "stays finished",
        "publisher finished",
      ]
    )
    token.cancel()
    box.value = nil
  }

  @Test("A sink made by hand does the same, and cancels by itself", arguments: BusKind.allCases)
  func madeByHand(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let sinks = (1...2).map { number in
      Subscribers.Sink<LifecycleEvent, Never> { _ in
        trace("\(number) finished")
      } receiveValue: {
        trace("\(number) \($0.shortLine)")
      }
    }
    for sink in sinks { bus.events.subscribe(sink) }
    bus.send(.didFinishLaunching)
    sinks[0].cancel()
    bus.send(.willTerminate)
    expectNoDifference(
      trace.lines,
      ["1 1 didFinishLaunching", "2 1 didFinishLaunching", "2 2 willTerminate", "2 finished"]
    )
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "The closure is the one that the sink had when it subscribed",
    arguments: BusKind.allCases
  )
  func closureIsReadOnce(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let sink = Subscribers.Sink<LifecycleEvent, Never> { _ in
      trace("finished")
    } receiveValue: {
      trace($0.shortLine)
    }
    bus.events.subscribe(sink)
    // The sink lets go of its closures. (One that is made by hand must not be completed by hand.)
    sink.receive(completion: .finished)
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.take(), ["finished", "1 didFinishLaunching"])
    bus.send(.willTerminate)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Catch-up comes before sink returns", arguments: BusKind.allCases)
  func catchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let path = bus.publisher(for: [.didFinishLaunching, .willEnterForeground], catchUp: .path).sink
    {
      trace("path \($0.line)")
    }
    trace("returned")
    let phase = bus.publisher(for: .willEnterForeground, catchUp: .currentPhase).sink {
      trace("phase \($0.line)")
    }
    trace("returned")
    let other = bus.publisher(for: .didFinishLaunching, catchUp: .currentPhase).sink {
      trace("other \($0.line)")
    }
    expectNoDifference(
      trace.lines,
      [
        "path 2 didFinishLaunching unknown→background catchUp",
        "path 2 willEnterForeground background→inactive catchUp", "returned",
        "phase 2 willEnterForeground background→inactive catchUp", "returned",
      ]
    )
    withExtendedLifetime((path, phase, other)) {}
  }

  @Test(
    "One that joins in a delivery does not get the event in delivery",
    arguments: BusKind.allCases
  )
  func joinsInDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<[AnyCancellable]>()
    let join: @Sendable (LifecycleEvent) -> Void = { [unowned bus] event in
      guard event.kind == .willResignActive else { return }
      MainActor.assumeIsolated { box.value = self.sinks(bus, trace) }
      let path = bus.publisher(for: .willEnterForeground, catchUp: .path).sink {
        trace("path \($0.line)")
      }
      box.value?.append(path)
      trace("joined")
    }
    // Going down, newcomers would stand in front of the first, and behind the last.
    let token = bus.addObserver(using: join)
    bus.send(.didBecomeActive)
    bus.send(.willResignActive)
    expectNoDifference(
      trace.take(),
      ["joined", "phases inactive", "path 4 willEnterForeground background→inactive catchUp"]
    )
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["events 5 didBecomeActive", "phases active"])
    token.cancel()
    box.value = nil
  }

  @Test(
    "phases begins with the phase in delivery, and does not repeat it",
    arguments: BusKind.allCases
  )
  func phasesInNestedDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<[AnyCancellable]>([])
    let token = bus.addObserver { [unowned bus] event in
      let number = event.sequenceNumber
      guard number <= 2 else { return }
      bus.send(.systemDidWake)
      box.value!.append(bus.phases.sink { trace("\(number): \($0)") })
      if number == 1 { bus.send(.didEnterBackground) }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines.filter { $0.hasPrefix("1") },
      ["1: background", "1: inactive", "1: background"]
    )
    expectNoDifference(
      trace.lines.filter { $0.hasPrefix("2") },
      ["2: inactive", "2: background"]
    )
    token.cancel()
    box.value = nil
  }
}

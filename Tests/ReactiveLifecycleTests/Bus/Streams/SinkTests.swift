import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// OpenCombine's `sink`, whose closure the bus calls directly.
///
/// `SinkModelTests` compare random scripts with a `sink` behind `AnyPublisher`.
@MainActor
@Suite("Sink")
struct SinkTests {
  private let clock = ManualClock()
  private let trace = Trace()

  private func makeBus() -> LifecycleBus { LifecycleBus(clock: clock) }

  /// What the closures of a sink captured.
  private struct Captures {
    let value: Weak<Canary>
    let completion: Weak<Canary>
    var alive: [Bool] { [value.isAlive, completion.isAlive] }
  }

  /// Traces the values and the completion under a name.
  private func sink<Output>(
    _ name: String,
    _ stream: LifecyclePublisher<Output>,
    _ text: @escaping (Output) -> String
  ) -> (AnyCancellable, Captures) {
    let (value, completion) = (Canary(), Canary())
    let cancellable = stream.sink { [trace] _ in
      completion.sing()
      trace("\(name) finished")
    } receiveValue: { [trace] in
      value.sing()
      trace("\(name) \(text($0))")
    }
    return (cancellable, Captures(value: Weak(value), completion: Weak(completion)))
  }

  /// One of each stream of events.
  private func sinks(of bus: LifecycleBus) -> [(AnyCancellable, Captures)] {
    [
      sink("events", bus.events, \.shortLine),
      sink("phases", bus.phases) { "\($0)" },
      sink("stays", bus.backgroundStays) { "\($0.timeAway.components.seconds) s" },
      sink("publisher", bus.publisher(for: [.willEnterForeground, .systemDidWake]), \.shortLine),
    ]
  }

  private func areAlive(_ sinks: [(AnyCancellable, Captures)]) -> Set<Bool> {
    Set(sinks.flatMap(\.1.alive))
  }

  // MARK: Values and completions

  @Test("Values in order, then the completion, once, at willTerminate")
  func completionAtTermination() {
    var bus: LifecycleBus? = makeBus()
    let sinks = sinks(of: bus!)
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
    expectNoDifference(areAlive(sinks), [false])
    bus!.send(.systemDidWake)
    bus = nil
    for (sink, _) in sinks { sink.cancel() }
    expectNoDifference(trace.lines, [])
  }

  @Test("Without a transition the completion comes once, when the bus is released")
  func completionOnRelease() {
    var bus: LifecycleBus? = makeBus()
    weak let weakBus = bus
    weak let core = bus?.core
    let sinks = sinks(of: bus!)
    let scope = LifecycleScope()
    bus!.addObserver(for: [.didFinishLaunching], in: scope) { [trace] _ in
      bus!.send(.systemDidWake)
      bus = nil
      trace("released")
    }
    bus!.send(.didFinishLaunching)
    expectNoDifference(
      trace.lines,
      [
        "phases unknown", "events 1 didFinishLaunching", "phases background", "released",
        "events 2 systemDidWake", "publisher 2 systemDidWake",
        "events finished", "phases finished", "stays finished", "publisher finished",
      ]
    )
    #expect(weakBus == nil)
    expectNoDifference(areAlive(sinks), [false])
    for (sink, _) in sinks { sink.cancel() }
    #expect(core == nil)
    scope.end()
  }

  @Test("After the end a sink gets its completion, and what it captured is released at once")
  func latecomer() {
    let bus = makeBus()
    bus.send(all: .didBecomeActive, .willTerminate)
    expectNoDifference(areAlive(sinks(of: bus)), [false])
    expectNoDifference(
      trace.lines,
      [
        "events finished", "phases terminated", "phases finished", "stays finished",
        "publisher finished",
      ]
    )
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A sink made by hand does the same, with the closure that it had when it subscribed")
  func madeByHand() {
    let bus = makeBus()
    let sinks = (1...3).map { number in
      Subscribers.Sink<LifecycleEvent, Never> { [trace] _ in
        trace("\(number) finished")
      } receiveValue: { [trace] in
        trace("\(number) \($0.shortLine)")
      }
    }
    for sink in sinks { bus.events.subscribe(sink) }
    // The sink lets go of its closures. (One that is made by hand must not be completed by hand.)
    sinks[2].receive(completion: .finished)
    bus.send(.didFinishLaunching)
    sinks[0].cancel()
    bus.send(.willTerminate)
    expectNoDifference(
      trace.lines,
      [
        "3 finished",
        "1 1 didFinishLaunching", "2 1 didFinishLaunching", "3 1 didFinishLaunching",
        "3 2 willTerminate", "2 2 willTerminate", "2 finished",
      ]
    )
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("phases begins with the phase in delivery, and does not repeat it")
  func phasesInNestedDelivery() {
    let bus = makeBus()
    var sinks: [AnyCancellable] = []
    let token = bus.addObserver { [trace, unowned bus] event in
      let number = event.sequenceNumber
      guard number <= 2 else { return }
      bus.send(.systemDidWake)
      sinks.append(bus.phases.sink { trace("\(number): \($0)") })
      if number == 1 { bus.send(.didEnterBackground) }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      ["1: background", "1: inactive", "2: inactive", "2: background", "1: background"]
    )
    token.cancel()
  }

  // MARK: Leaving

  @Test("Cancelled inside its own closure, it runs on, and is gone after the event")
  func cancelsItself() {
    let bus = makeBus()
    var sink: AnyCancellable?
    weak var canary: Canary?
    do {
      let captured = Canary()
      canary = captured
      sink = bus.events.sink { [trace] _ in
        trace("finished")
      } receiveValue: { [trace] _ in
        trace("called")
        sink?.cancel()
        sink?.cancel()
        // What runs is not released under its feet.
        captured.sing()
        trace(canary == nil ? "gone" : "alive")
      }
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["called", "alive"])
    #expect(canary == nil)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("Cancelled by an earlier one's completion, by the last value, or after it: no completion")
  func cancelledBeforeItsCompletion() {
    let bus = makeBus()
    var victims: [AnyCancellable] = []
    let first = bus.events.sink { [trace] _ in
      trace("first finished")
      victims[1].cancel()
    } receiveValue: { _ in
      victims[0].cancel()
    }
    victims = (1...3).map { number in
      bus.events.sink { [trace] _ in
        trace("\(number) finished")
        victims[2].cancel()
      } receiveValue: { _ in
      }
    }
    bus.send(.willTerminate)
    for victim in victims { victim.cancel() }
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["first finished", "3 finished"])
    first.cancel()
  }

  @Test("Cancelled outside a delivery, the captures go at once; inside one, before the next event")
  func releasedWhenCancelled() {
    let bus = makeBus()
    var sinks = sinks(of: bus)
    expectNoDifference(areAlive(sinks), [true])
    for (sink, _) in sinks { sink.cancel() }
    expectNoDifference(areAlive(sinks), [false])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    let log = Trace()
    let token = bus.addObserver { [self] event in
      if event.sequenceNumber == 1 { for (sink, _) in sinks { sink.cancel() } }
      log("\(event.sequenceNumber): \(areAlive(sinks).contains(true))")
    }
    sinks = self.sinks(of: bus)
    bus.send(.willEnterForeground)
    expectNoDifference(log.lines, ["1: true", "2: false"])
    token.cancel()
  }

  @Test("Cancelled off the main actor, a main-actor bus releases there what it captured")
  func cancelledElsewhere() async {
    let bus = makeBus()
    let box = UncheckedBox<AnyCancellable>()
    do {
      let canary = Canary { [trace] in
        MainActor.assertIsolated()
        trace("released")
      }
      box.value = bus.events.sink { _ in canary.sing() }
    }
    onOtherThread { box.value?.cancel() }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["released"])
  }

  // MARK: Where it was called

  @Test("A sink of publisher(for:) has that line; one of a property has none, nor a scope's name")
  func locations() {
    let bus = makeBus()
    let scope = LifecycleScope("screen")
    let line: UInt = #line
    bus.suppressedInputs.sink { _ in }.store(in: scope)
    bus.events.sink { _ in }.store(in: scope)
    bus.publisher(for: .systemDidWake).sink { _ in }.store(in: scope)
    bus.publisher(for: .systemDidWake).map { $0 }.sink { _ in }.store(in: scope)
    bus.addObserver(in: scope) { _ in }
    bus.addObserver { _ in }.store(in: scope)
    let file = "ReactiveLifecycleTests/SinkTests.swift"
    expectNoDifference(
      bus.diagnostics.liveSubscriptions.map(\.location.description),
      [
        "a subscriber of a publisher",
        "\(file):\(line + 3)",
        "\(file):\(line + 4)",
        "\(file):\(line + 5) (scope \"screen\")",
        "\(file):\(line + 6)",
        // Subscribers of suppressed inputs come last.
        "a subscriber of a publisher",
      ]
    )
    scope.end()
  }

  @Test("A latecomer's age begins with its sink, and counts sleep")
  func ageOfALatecomer() {
    let bus = makeBus()
    let first = bus.events.sink { _ in }
    clock.sleepDevice(for: .seconds(90))
    let second = bus.phases.sink { _ in }
    clock.advance(by: .seconds(5))
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.age), [.seconds(95), .seconds(5)])
    withExtendedLifetime((first, second)) {}
  }
}

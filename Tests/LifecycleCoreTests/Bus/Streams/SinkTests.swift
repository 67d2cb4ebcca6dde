import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// OpenCombine's `sink`, whose closure the bus calls directly.
///
/// `ModelTests` test its values, its completion and its release, and compare it with one behind
/// `AnyPublisher`.
@MainActor
@Suite("Sink")
struct SinkTests {
  private let clock = ManualClock()
  private let trace = Trace()

  private func makeBus() -> LifecycleBus { LifecycleBus(clock: clock) }

  @Test("A Subscribers.Sink keeps the closure that it had when it subscribed")
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

  @Test("A sink cancelled on another thread is released on the main actor")
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

  @Test("Only a sink of publisher(for:) is reported with its line")
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
    let file = "LifecycleCoreTests/SinkTests.swift"
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
}

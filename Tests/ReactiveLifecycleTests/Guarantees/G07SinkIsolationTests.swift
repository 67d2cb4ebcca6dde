import CustomDump
import LifecycleTesting
import OpenCombineShim
import ReactiveLifecycle
import Testing

/// A closure given to `sink` belongs to the actor in whose code it is written.
@Suite("G7 Where observers run: sink")
struct G07SinkIsolationTests {
  @MainActor
  @Test("A main-actor closure is called on the main actor by both", arguments: BusKind.allCases)
  func sentOnTheMainActor(_ kind: BusKind) {
    let bus = kind.make()
    var phases: [LifecyclePhase] = []
    var isFinished = false
    let cancellable = bus.phases.sink { _ in
      isFinished = true
    } receiveValue: { phase in
      MainActor.assertIsolated()
      phases.append(phase)
    }
    bus.send(all: .didFinishLaunching, .willTerminate)
    expectNoDifference(phases, [.unknown, .background, .terminated])
    #expect(isFinished)
    cancellable.cancel()
  }

  @MainActor
  @Test("A LifecycleBus calls it there, wherever it was sent")
  func mainActorBus() async {
    let bus = LifecycleBus(clock: ManualClock())
    var lines: [String] = []
    let events = bus.events.sink { _ in
      lines.append("finished")
    } receiveValue: { event in
      MainActor.assertIsolated()
      lines.append(event.shortLine)
    }
    let phases = bus.phases.sink { lines.append("\($0)") }
    _ = await awaitOtherThread { bus.send(.didFinishLaunching) }
    await mainQueueToDrain()
    _ = await awaitOtherThread { bus.send(.willTerminate) }
    await mainQueueToDrain()
    expectNoDifference(
      lines,
      [
        "unknown", "1 didFinishLaunching", "background", "terminated", "2 willTerminate",
        "finished",
      ]
    )
    withExtendedLifetime((events, phases)) {}
  }

  @MainActor
  @Test("Without an isolation a nonisolated bus calls it on any thread")
  func withoutIsolation() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let threads = Locked<[ObjectIdentifier]>([])
    let note: @Sendable () -> Void = {
      let thread = currentThread()
      threads.withLock { $0.append(thread) }
    }
    let finished: @Sendable (Subscribers.Completion<Never>) -> Void = { _ in note() }
    let received: @Sendable (LifecycleEvent) -> Void = { _ in note() }
    let cancellable = bus.events.sink(
      isolation: nil,
      receiveCompletion: finished,
      receiveValue: received
    )
    let sender = await awaitOtherThread {
      bus.send(.willTerminate)
      return currentThread()
    }
    #expect(threads.withLock { $0 } == [sender, sender])
    cancellable.cancel()
  }

  actor Home {
    var lines: [String] = []

    func observe(_ bus: NonisolatedLifecycleBus) -> [String] {
      let cancellable = bus.events.sink { self.lines.append($0.shortLine) }
      bus.send(.systemDidWake)
      cancellable.cancel()
      return lines
    }
  }

  @Test("An actor's closure is called on that actor")
  func anotherActor() async {
    let lines = await Home().observe(NonisolatedLifecycleBus(clock: ManualClock()))
    expectNoDifference(lines, ["1 systemDidWake"])
  }
}

extension G07SinkIsolationTests {
  private static let message = "say sink(isolation: nil)"

  private func check(_ result: ExitTest.Result?, line: Int = #line) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(Self.message), "line \(line): \(text)")
  }

  @Test("A main-actor closure that a nonisolated bus calls elsewhere stops the program")
  func valueElsewhere() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let bus = NonisolatedLifecycleBus()
      let cancellable = await MainActor.run { UncheckedBox(bus.events.sink { _ in }) }
      await awaitOtherThread { _ = bus.send(.systemDidWake) }
      cancellable.value = nil
    }
    try check(result)
  }

  @Test("So does its completion")
  func completionElsewhere() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let bus = NonisolatedLifecycleBus()
      let cancellable = await MainActor.run {
        // Values stay away: the first call is the completion's.
        UncheckedBox(
          bus.publisher(for: .systemDidWake).sink { _ in
          } receiveValue: { _ in
          }
        )
      }
      await awaitOtherThread { _ = bus.send(.willTerminate) }
      cancellable.value = nil
    }
    try check(result)
  }

  @Test("So does the first phase, with an actor's own closure handed to other code")
  func firstPhaseElsewhere() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let bus = NonisolatedLifecycleBus()
      await awaitOtherThread {
        let body: (LifecyclePhase) -> Void = { _ in }
        _ = bus.phases.sink(isolation: MainActor.shared, receiveValue: body)
      }
    }
    try check(result)
  }

  @Test("So does another actor's closure")
  func anotherActorElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let bus = NonisolatedLifecycleBus()
      await awaitOtherThread {
        let body: (LifecyclePhase) -> Void = { _ in }
        _ = bus.phases.sink(isolation: Home(), receiveValue: body)
      }
    }
  }

  @Test("So does another actor's closure on a LifecycleBus")
  func anotherActorOnAMainActorBus() async {
    await #expect(processExitsWith: .failure) {
      let home = Home()
      await MainActor.run {
        let body: (LifecyclePhase) -> Void = { _ in }
        _ = LifecycleBus().phases.sink(isolation: home, receiveValue: body)
      }
    }
  }
}

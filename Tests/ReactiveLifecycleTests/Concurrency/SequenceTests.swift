import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: sequences")
@MainActor
struct SequenceTests {
  private let bus = LifecycleBus(clock: ManualClock())

  // MARK: Values

  @Test("What is sent before the loop begins is kept, to the end")
  func whatComesBeforeLoopBeginsIsKept() async {
    bus.send(.didFinishLaunching)
    let events = bus.events.asyncSequence()
    bus.send(all: .didBecomeActive, .systemDidWake, .willTerminate)
    var lines: [String] = []
    for await event in events { lines.append(event.shortLine) }
    expectNoDifference(
      lines,
      [
        "2 willEnterForeground", "3 didBecomeActive", "4 systemDidWake", "5 willResignActive",
        "6 didEnterBackground", "7 willTerminate",
      ]
    )
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("Phases begin with the current one, and none is lost")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func phasesBeginWithCurrentOne() async throws {
    bus.send(.didFinishLaunching)
    let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    bus.send(all: .didBecomeActive, .willTerminate)
    let phases = try await recorder.waitUntilEnd()
    expectNoDifference(
      phases,
      [.background, .inactive, .active, .inactive, .background, .terminated]
    )
  }

  @Test("Suppressed inputs, until the bus is released")
  func suppressedInputs() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    let sequence = bus!.suppressedInputs.asyncSequence()
    bus?.send(all: .didBecomeActive, .didBecomeActive, .willTerminate, .didEnterBackground)
    bus = nil
    var lines: [String] = []
    for await input in sequence { lines.append("\(input.kind) \(input.reason)") }
    expectNoDifference(lines, ["didBecomeActive duplicate", "didEnterBackground terminated"])
  }

  @Test("Kinds and catch-up are those of the publisher")
  func kindsAndCatchUp() async {
    bus.send(.didBecomeActive)
    let kinds: LifecycleEvent.Kinds = [.didBecomeActive, .willTerminate]
    let events = bus.publisher(for: kinds, catchUp: .currentPhase).asyncSequence()
    bus.send(.willTerminate)
    var lines: [String] = []
    for await event in events { lines.append("\(event.shortLine) \(event.origin)") }
    expectNoDifference(lines, ["3 didBecomeActive catchUp", "6 willTerminate manual"])
  }

  @Test("Values that are there come without giving up the thread")
  func noHop() async {
    let events = bus.events.asyncSequence()
    bus.send(all: .didBecomeActive, .systemDidWake, .willTerminate)
    let trace = Trace()
    Task { trace("another task") }
    for await event in events { trace("\(event.kind)") }
    expectNoDifference(trace.lines.count, 7)
    #expect(!trace.lines.contains("another task"))
    await mainQueueToDrain()
  }

  @Test("The first iterator takes over; the others begin when they are made")
  func severalIterators() async {
    let events = bus.events.asyncSequence()
    bus.send(.didFinishLaunching)
    var first = events.makeAsyncIterator()
    bus.send(.willEnterForeground)
    var second = events.makeAsyncIterator()
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 2)
    bus.send(.didBecomeActive)
    for kind: LifecycleEvent.Kind in [.didFinishLaunching, .willEnterForeground, .didBecomeActive] {
      #expect(await first.next()?.kind == kind)
    }
    #expect(await second.next()?.kind == .didBecomeActive)
  }

  // MARK: The end

  @Test("The release of the bus ends it after what is buffered")
  func releaseOfTheBusEndsIt() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let released = bus
    let events = bus!.events.asyncSequence()
    let waiting = Task {
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    await mainQueueToDrain()
    let buffered = bus!.events.asyncSequence()
    bus!.send(.willEnterForeground)
    bus = nil
    #expect(released == nil)
    var lines: [String] = []
    for await event in buffered { lines.append(event.shortLine) }
    expectNoDifference(lines, ["1 didFinishLaunching", "2 willEnterForeground"])
    #expect(await waiting.value == 2)
  }

  @Test("Made on a bus that has ended, it ends at once")
  func madeOnAnEndedBus() async {
    bus.send(.willTerminate)
    var events = bus.events.asyncSequence().makeAsyncIterator()
    #expect(await events.next() == nil)
    var phases = bus.phases.asyncSequence().makeAsyncIterator()
    #expect(await phases.next() == .terminated)
    #expect(await phases.next() == nil)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  // MARK: Leaving

  @Test("It leaves the bus when it is released, iterated or not")
  func released() async {
    var events: LifecycleSequence? = bus.events.asyncSequence(line: 5)
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [5])
    withExtendedLifetime(events) {}
    events = nil
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    // Its iterator lives on.
    events = bus.events.asyncSequence()
    var iterator = events?.makeAsyncIterator()
    events = nil
    bus.send(.systemDidWake)
    #expect(await iterator?.next()?.kind == .systemDidWake)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    iterator = nil
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("It leaves the bus when a loop is left, and the next loop begins anew")
  func leftLoop() async {
    let events = bus.events.asyncSequence()
    bus.send(all: .systemDidWake, .systemDidWake)
    for await _ in events { break }
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    let others = Task {
      for await event in events { return event.sequenceNumber }
      return 0
    }
    await mainQueueToDrain()
    bus.send(.systemDidWake)
    #expect(await others.value == 3)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("It leaves the bus at once when a task is cancelled that waits for a value")
  func cancelledWaiting() async {
    let events = bus.events.asyncSequence()
    let task = Task {
      for await _ in events {}
    }
    await mainQueueToDrain()
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    task.cancel()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    await task.value
  }

  @Test("In a task that was cancelled meanwhile the next value is nil, whatever is buffered")
  func cancelledMeanwhile() async {
    let task = Task { [bus] in
      var iterator = bus.events.asyncSequence().makeAsyncIterator()
      bus.send(all: .systemDidWake, .systemDidWake, .systemDidWake)
      let first = await iterator.next()?.sequenceNumber
      withUnsafeCurrentTask { $0?.cancel() }
      let second = await iterator.next()?.sequenceNumber
      let hasLeft = bus.diagnostics.liveSubscriptions.isEmpty
      let third = await iterator.next()?.sequenceNumber
      return [first, second, third, hasLeft ? 0 : 1]
    }
    let numbers = await task.value
    expectNoDifference(numbers, [1, nil, nil, 0])
  }

  @Test("Nothing of it stays in memory")
  func nothingOfSequenceStaysInMemory() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    let core = Weak(bus!.core)
    var events: LifecycleSequence? = bus!.events.asyncSequence()
    var iterators = [events!.makeAsyncIterator(), events!.makeAsyncIterator()]
    bus!.send(.systemDidWake)
    for await _ in bus!.phases.asyncSequence() { break }
    bus = nil
    expectNoDifference(iterators.count, 2)
    iterators = []
    withExtendedLifetime(events) {}
    events = nil
    await mainQueueToDrain()
    #expect(!core.isAlive)
  }
}

import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: sequences")
@MainActor
struct SequenceTests {
  @Test("What comes before the loop begins is kept, to the end", arguments: BusKind.allCases)
  func whatComesBeforeLoopBeginsIsKept(_ kind: BusKind) async {
    let bus = kind.make()
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
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Phases begin with the current one, and none is lost", arguments: BusKind.allCases)
  func phasesBeginWithCurrentOne(_ kind: BusKind) async throws {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    bus.send(all: .didBecomeActive, .didEnterBackground, .didBecomeActive, .willTerminate)
    let phases = try await recorder.waitUntilEnd()
    expectNoDifference(
      phases,
      [
        .background, .inactive, .active, .inactive, .background, .inactive, .active, .inactive,
        .background, .terminated,
      ]
    )
  }

  @Test("Suppressed inputs, until the bus is released", arguments: BusKind.allCases)
  func suppressedInputs(_ kind: BusKind) async {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let sequence = bus?.suppressedInputs.asyncSequence()
    bus?.send(all: .didBecomeActive, .didBecomeActive, .willTerminate, .didEnterBackground)
    expectNoDifference(bus?.liveSubscriptions.map(\.location.line), [#line - 2])
    bus = nil
    var lines: [String] = []
    if let sequence {
      for await input in sequence { lines.append("\(input.kind) \(input.reason)") }
    }
    expectNoDifference(lines, ["didBecomeActive duplicate", "didEnterBackground terminated"])
  }

  @Test("Kinds, catch-up and stays", arguments: BusKind.allCases)
  func otherStreams(_ kind: BusKind) async throws {
    let lifecycle = kind.activeProcess()
    let bus = lifecycle.bus
    let kinds = bus.publisher(
      for: [.didBecomeActive, .willTerminate],
      catchUp: .currentPhase
    ).asyncSequence()
    let stays = LifecycleRecorder(bus.backgroundStays.asyncSequence(), of: bus)
    let events = LifecycleRecorder(kinds, of: bus)
    lifecycle.perform(.background(for: .seconds(5)), .terminate)
    let seen = try await events.waitUntilEnd()
    expectNoDifference(
      seen.map { "\($0.shortLine) \($0.origin)" },
      [
        "3 didBecomeActive catchUp", "7 didBecomeActive source(script)",
        "10 willTerminate source(script)",
      ]
    )
    let durations = try await stays.waitUntilEnd().map(\.duration)
    expectNoDifference(durations, [.seconds(5)])
  }

  @Test("Values that are there come without giving up the thread", arguments: BusKind.allCases)
  func noHop(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    bus.send(all: .didBecomeActive, .systemDidWake, .willTerminate)
    let trace = Trace()
    Task { trace("another task") }
    for await event in events { trace("\(event.kind)") }
    trace("ended")
    expectNoDifference(trace.lines.count, 8)
    expectNoDifference(trace.lines.last, "ended")
    #expect(!trace.lines.contains("another task"))
    await mainQueueToDrain()
  }

  @Test("Two tasks share one iterator: each value goes to one of them", arguments: BusKind.allCases)
  func sharedIterator(_ kind: BusKind) async {
    let bus = kind.make()
    let iterator = UncheckedBox<LifecycleSequence<LifecycleEvent>.Iterator>()
    iterator.value = bus.events.asyncSequence().makeAsyncIterator()
    let tasks = (1...3).map { _ in
      Task { @MainActor in
        var copy = iterator.value
        return await copy?.next()?.sequenceNumber
      }
    }
    await mainQueueToDrain()
    bus.send(all: .systemDidWake, .systemDidWake)
    bus.send(.willTerminate)
    var numbers: [Int] = []
    for task in tasks { if let number = await task.value { numbers.append(number) } }
    expectNoDifference(numbers.sorted(), [1, 2, 3])
  }

  @Test("A bound keeps the oldest", arguments: BusKind.allCases)
  func boundedOldest(_ kind: BusKind) async throws {
    let bus = kind.make()
    let sequence = bus.phases.asyncSequence(buffering: .bufferingOldest(2))
    let phases = LifecycleRecorder(sequence, of: bus)
    bus.send(all: .didBecomeActive, .willTerminate)
    let kept = try await phases.waitUntilEnd()
    expectNoDifference(kept, [.unknown, .background])
  }

  @Test("A bound keeps the newest", arguments: BusKind.allCases)
  func boundKeepsTheNewest(_ kind: BusKind) async {
    let bus = kind.make()
    let phases = bus.phases.asyncSequence(buffering: .bufferingNewest(1))
    bus.send(all: .didBecomeActive, .didEnterBackground)
    var iterator = phases.makeAsyncIterator()
    #expect(await iterator.next() == .background)
    bus.send(all: .didBecomeActive, .willTerminate)
    #expect(await iterator.next() == .terminated)
    #expect(await iterator.next() == nil)
  }

  @Test("The release of the bus ends it after what is buffered", arguments: BusKind.allCases)
  func releaseOfTheBusEndsIt(_ kind: BusKind) async {
    var bus: (any LifecycleBusProtocol)? = kind.make()
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

  @Test("Made on a bus that has ended, it ends at once", arguments: BusKind.allCases)
  func madeOnAnEndedBus(_ kind: BusKind) async {
    let bus = kind.make()
    bus.send(.willTerminate)
    var events = bus.events.asyncSequence().makeAsyncIterator()
    #expect(await events.next() == nil)
    #expect(await events.next() == nil)
    var phases = bus.phases.asyncSequence().makeAsyncIterator()
    #expect(await phases.next() == .terminated)
    #expect(await phases.next() == nil)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "The first iterator takes over; the others begin when they are made",
    arguments: BusKind.allCases
  )
  func severalIterators(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    bus.send(.didFinishLaunching)
    var first = events.makeAsyncIterator()
    bus.send(.willEnterForeground)
    var second = events.makeAsyncIterator()
    expectNoDifference(bus.liveSubscriptions.count, 2)
    bus.send(.didBecomeActive)
    #expect(await first.next()?.kind == .didFinishLaunching)
    #expect(await first.next()?.kind == .willEnterForeground)
    #expect(await first.next()?.kind == .didBecomeActive)
    #expect(await second.next()?.kind == .didBecomeActive)
  }

  @Test(
    "Several tasks iterate at the same time, and each gets everything",
    arguments: BusKind.allCases
  )
  func severalTasks(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    let isIterating = Mailbox<Void>()
    await withTaskGroup(of: [Int].self) { group in
      for _ in 1...8 {
        group.addTask {
          var iterator = events.makeAsyncIterator()
          isIterating.send(())
          var numbers: [Int] = []
          while let event = await iterator.next() { numbers.append(event.sequenceNumber) }
          return numbers
        }
      }
      for _ in 1...8 { await isIterating.receive() }
      for _ in 1...100 { bus.send(.systemDidWake) }
      bus.send(.willTerminate)
      for await numbers in group { expectNoDifference(numbers, Array(1...101)) }
    }
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Many threads send, a loop reads: all of it, in order", arguments: BusKind.allCases)
  func manyThreads(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    let reader = Task.detached {
      var numbers: [Int] = []
      for await event in events { numbers.append(event.sequenceNumber) }
      return numbers
    }
    await awaitOtherThreads(4) { _ in for _ in 1...500 { bus.send(.systemDidWake) } }
    bus.send(.willTerminate)
    let numbers = await reader.value
    expectNoDifference(numbers, Array(1...2_001))
  }

  @Test("A loop on the main actor stays there", arguments: BusKind.allCases)
  func loopOnMainActorStaysThere(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    bus.send(all: .systemDidWake, .willTerminate)
    var count = 0
    for await _ in events {
      MainActor.preconditionIsolated()
      count += 1
    }
    expectNoDifference(count, 2)
  }

  @Test("It is named by the line that made it", arguments: BusKind.allCases)
  func sequenceIsNamedByLineThatMadeIt(_ kind: BusKind) {
    let bus = kind.make()
    let events = bus.events.asyncSequence(line: 5)
    let iterators = [events.makeAsyncIterator(), events.makeAsyncIterator()]
    let named = bus.publisher(for: .willTerminate, line: 1).asyncSequence(line: 6)
    withExtendedLifetime((events, iterators, named)) {
      let locations = bus.liveSubscriptions.map(\.location)
      expectNoDifference(locations.map(\.line), [5, 5, 6])
      #expect(locations.allSatisfy { $0.fileID == #fileID })
    }
  }
}

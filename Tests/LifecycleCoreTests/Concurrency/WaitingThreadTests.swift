import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Threads drive a bus to and fro while tasks that wait for it are cancelled or not.
@Suite("Threads: tasks that wait")
struct WaitingThreadTests {
  private let bus = NonisolatedLifecycleBus(clock: ManualClock())

  /// Sends to and fro.
  @Sendable private func move() {
    for _ in 1...10 { bus.send(all: .didBecomeActive, .systemDidWake, .didEnterBackground) }
  }

  /// Two threads send to and fro, and are awaited.
  private func drive() async {
    await awaitOtherThreads(2) { _ in move() }
  }

  @Test("waitUntil returns or throws once, cancelled or not, while threads send")
  @MainActor
  func eachWaitHasOneOutcome() async {
    for round in 1...200 {
      let isCancelled = round % 2 == 0
      async let driven: Void = drive()
      let wait = Task.detached { [bus] in try await bus.waitUntil(.atMost(.background)) }
      if isCancelled {
        if round % 4 == 0 { await mainQueueToDrain() }
        wait.cancel()
      }
      await driven
      await mainQueueToDrain()
      bus.send(all: .didBecomeActive, .didEnterBackground)
      let line = describe(await wait.result)
      #expect(line == "returned" || isCancelled && line == "cancelled")
      #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    }
  }

  @Test("repeatWhile never runs two bodies at once, and leaves none, while threads send")
  func neverTwoBodiesAtOnce() async {
    let runs = Counter()
    for round in 1...200 {
      let test = WaitingThreadTests()
      let bus = test.bus
      let isEnded = round % 2 == 0
      let running = Counter()
      let first = AsyncGate()
      async let driven: Void = test.drive()
      let task = Task {
        try await bus.repeatWhile(.atLeast(.active)) {
          #expect(running.add() == 1, "two bodies at once")
          runs.add()
          first.open()
          try? await Task.sleep(for: .seconds(3600))
          running.subtract()
          if round % 5 == 0 { throw BodyError() }
          try Task.checkCancellation()
        }
      }
      if round % 4 < 2 {
        await driven
        bus.send(.didBecomeActive)
        await first.opened()
      }
      if isEnded { await awaitOtherThread { _ = bus.send(.willTerminate) } } else { task.cancel() }
      let line = describe(await task.result)
      let expected = isEnded ? "returned" : "cancelled"
      #expect(line == expected || round % 5 == 0 && line == "threw BodyError()")
      #expect(running.count == 0, "a body outlives its call")
      await driven
      #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    }
    #expect(runs.count >= 100)
  }

  @Test("Sequences have no gaps, and leave the bus, while threads send")
  func sequencesCancelledLeftOrReleased() async {
    for round in 1...200 {
      let isCancelled = round % 2 == 0
      let limit = round % 10 + 1
      let task = Task {
        let events = bus.events.asyncSequence()
        let other = events.makeAsyncIterator()
        // Before the threads send: it gets what comes from here on.
        var iterator = events.makeAsyncIterator()
        async let driven: Void = drive()
        var numbers: [Int] = []
        while let event = await iterator.next() {
          numbers.append(event.sequenceNumber)
          if numbers.count == limit { break }
        }
        await driven
        return withExtendedLifetime(other) { numbers }
      }
      if isCancelled { task.cancel() }
      let numbers = await task.value
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
      if !isCancelled { #expect(numbers.count == limit) }
      #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    }
  }

  @Test("Sequences made while threads send have no gaps up to the last event")
  func sequencesMadeMeanwhile() async {
    for _ in 1...50 {
      let sequences = Collector<LifecycleSequence<LifecycleEvent>>()
      await awaitOtherThreads(6) { thread in
        if thread < 2 { move() } else { sequences(bus.events.asyncSequence()) }
      }
      bus.send(.systemWillSleep)
      for events in sequences.values {
        var numbers: [Int] = []
        for await event in events {
          numbers.append(event.sequenceNumber)
          if event.kind == .systemWillSleep { break }
        }
        #expect(!numbers.isEmpty)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
      }
    }
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }
}

import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import Testing

/// Threads drive a bus while tasks wait for it and are cancelled.
@Suite("Threads: tasks that wait")
struct WaitingThreadTests {
  private static let rounds = 300

  private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    @discardableResult
    func add() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }

    func subtract() { count.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// Sends to and fro on two threads until the body is done, then terminates.
  private func drive(_ bus: any WaitingBus, until body: @escaping @Sendable () async -> Void) async
  {
    let isOver = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...2 {
        group.addTask {
          await awaitOtherThread { [bus] in
            while isOver.value == 0 {
              bus.send(all: .didBecomeActive, .systemDidWake, .didEnterBackground)
            }
          }
        }
      }
      await body()
      isOver.add()
    }
    bus.send(.willTerminate)
  }

  @Test("reach and runOnce, cancelled or not: one outcome, the work once or never")
  func arrivals() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    await drive(bus) {
      for round in 1...Self.rounds {
        let works = Counter()
        let once = Task {
          try await bus.runOnce(atLeast: .active) {
            works.add()
            return round
          }
        }
        let reach = Task { try await bus.reach(atMost: .background) }
        if round % 2 == 0 {
          once.cancel()
          reach.cancel()
        }
        let result = describe(await once.result)
        let count = works.value
        #expect(result == "returned \(round)" && count == 1 || result == "cancelled" && count == 0)
        #expect(["returned", "cancelled"].contains(describe(await reach.result)))
        if round % 2 == 1 { #expect(result != "cancelled") }
      }
    }
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("repeatWhile, cancelled or ended: never two bodies at once, and none left")
  func visits() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let runs = Counter()
    await drive(bus) {
      for round in 1...Self.rounds {
        let running = Counter()
        let first = AsyncGate()
        let task = Task {
          try await bus.repeatWhile(atLeast: .active) {
            #expect(running.add() == 1, "two bodies at once")
            runs.add()
            first.open()
            // Until it is cancelled, which a suspension in between may tell too.
            while !Task.isCancelled { await Task.yield() }
            running.subtract()
            if round % 3 == 0 { throw BodyError() }
            try Task.checkCancellation()
          }
        }
        if round % 2 == 0 { await first.opened() }
        task.cancel()
        #expect(["cancelled", "threw BodyError()"].contains(describe(await task.result)))
        #expect(running.value == 0, "a body outlives its call")
      }
    }
    #expect(runs.value >= Self.rounds / 2)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Sequences, cancelled, left or released: no gaps, and none left")
  func sequences() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    await drive(bus) {
      for round in 1...Self.rounds {
        let events = bus.events.sequence()
        let second = events.makeAsyncIterator()
        let task = Task {
          var numbers: [Int] = []
          for await event in events {
            numbers.append(event.sequenceNumber)
            if numbers.count == round % 10 + 1 { break }
          }
          return numbers
        }
        if round % 2 == 0 { task.cancel() }
        let numbers = await task.value
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        if round % 2 == 1 { #expect(numbers.count == round % 10 + 1) }
        _ = second
      }
    }
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("A main-actor bus that is driven from other threads")
  @MainActor
  func mainActor() async {
    let bus = LifecycleBus(clock: ManualClock())
    await drive(bus) { @MainActor in
      for round in 1...50 {
        let once = Task { try await bus.runOnce(atLeast: .active) { bus.phase } }
        let reach = Task.detached { try await bus.reach(.active) }
        if round % 2 == 0 { reach.cancel() }
        await expect(once, "returned active")
        #expect(["returned", "cancelled"].contains(describe(await reach.result)))
      }
    }
    #expect(await terminated(bus))
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @MainActor
  private func terminated(_ bus: LifecycleBus) async -> Bool {
    await mainQueueToDrain()
    return bus.phase == .terminated
  }
}

import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LifecycleCountdowns

@Suite("Countdown heap")
@MainActor
struct CountdownHeapTests {
  private let queue = CountdownQueue.of(LifecycleBus(clock: ManualClock()).core)

  private func core(_ wake: Int64, order: Int64) -> CountdownCore {
    let machine = CountdownMachine(total: 1, interval: 0, behavior: .catchUp)
    let core = CountdownCore(queue: queue, machine: machine)
    core.wake = wake
    core.order = order
    return core
  }

  private func drain(_ heap: inout CountdownHeap, at now: Int64) -> [Int64] {
    var orders: [Int64] = []
    while let core = heap.popDue(at: now) {
      orders.append(core.order)
      core.wake = CountdownHeap.none
    }
    return orders
  }

  @Test("By moment, then by start; what is not due stays, and what never is does not count")
  func orderOfMomentThenOfStart() {
    var heap = CountdownHeap { $0.wake }
    let cores = [(5, 3), (2, 4), (5, 1), (9, 2), (5, 2)].map { core($0, order: $1) }
    let never = core(CountdownHeap.never, order: 6)
    for core in cores + [never] { heap.insert(core) }
    expectNoDifference(heap.earliest, 2)
    expectNoDifference(drain(&heap, at: 1), [])
    expectNoDifference(drain(&heap, at: 5), [4, 1, 2, 3])
    expectNoDifference(heap.earliest, 9)
    expectNoDifference(drain(&heap, at: 9), [2])
    expectNoDifference(heap.earliest, nil)
    expectNoDifference(heap.countdowns.count, 1)
    #expect(drain(&heap, at: CountdownHeap.never - 1).isEmpty)
  }

  @Test("An entry whose countdown has moved on or was started anew does not count")
  func staleEntryDoesNotCount() {
    var heap = CountdownHeap { $0.wake }
    let (moved, restarted, stopped) = (core(1, order: 1), core(2, order: 2), core(3, order: 3))
    for core in [moved, restarted, stopped] { heap.insert(core) }
    moved.wake = 7
    heap.insert(moved)
    restarted.order = 9
    heap.insert(restarted)
    stopped.wake = CountdownHeap.none
    expectNoDifference(heap.countdowns.count, 2)
    expectNoDifference(drain(&heap, at: 10), [9, 1])
    #expect(heap.countdowns.isEmpty)
  }

  @Test("A countdown that came back to its moment counts once among those that have an entry")
  func returnToTheSameMomentCountsOnce() {
    var heap = CountdownHeap { $0.wake }
    let core = core(5, order: 1)
    for _ in 0..<1000 { heap.insert(core) }
    expectNoDifference(heap.countdowns.count, 1)
    expectNoDifference(heap.countdowns.count, 1)
    #expect(heap.count <= 64)
  }

  @Test("What was cancelled or moved on is dropped before it outweighs the rest")
  func staleEntriesAreDropped() {
    var heap = CountdownHeap { $0.wake }
    var alive: [CountdownCore] = []
    var most = 0
    for number in 0..<20_000 as Range<Int64> {
      // Behind the first, which stays at the top and hides the others from the cheap way.
      let core = core(number == 0 ? 1 : 100 + number, order: number)
      heap.insert(core)
      switch number % 4 {
      case 0 where alive.count < 100: alive.append(core)
      case 1:
        for moment in [50_000, 40_000 + number] {
          core.wake = moment
          heap.insert(core)
        }
        core.wake = CountdownHeap.none
      default: core.wake = CountdownHeap.none
      }
      most = max(most, heap.count)
    }
    #expect(most <= 64 + 2 * 100)
    expectNoDifference(heap.countdowns.count, alive.count)
    expectNoDifference(drain(&heap, at: 100_000), alive.map(\.order))
    heap.removeAll()
    expectNoDifference(heap.count, 0)
  }

  @Test("Alternating extensions of many leave no more than twice their number")
  func alternatingExtensionsStayBounded() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdowns = (0..<200).map { _ in
      Countdown(.seconds(100), of: bus, inBackground: .finishOnTime)
    }
    for countdown in countdowns { countdown.start() }
    for isAway in [false, true] {
      if isAway { bus.send(.didEnterBackground) }
      for round in 0..<50 {
        for countdown in countdowns { countdown.extend(by: .seconds(round % 2 == 0 ? 7 : -7)) }
      }
      let entries = countdowns[0].core.queue.entryCount
      #expect(entries.ticks <= 600)
      #expect(entries.ends <= 600)
    }
  }
}

import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: sequences leave the bus")
@MainActor
struct SequenceLeavingTests {
  @Test("When it is released without having been iterated", arguments: BusKind.allCases)
  func neverIterated(_ kind: BusKind) {
    let bus = kind.make()
    var events: LifecycleSequence? = bus.events.asyncSequence()
    bus.send(.systemDidWake)
    withExtendedLifetime(events) { expectNoDifference(bus.liveSubscriptions.count, 1) }
    events = nil
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Not when it is released after its iterator was made", arguments: BusKind.allCases)
  func iteratorOutlives(_ kind: BusKind) async {
    let bus = kind.make()
    var events: LifecycleSequence? = bus.events.asyncSequence()
    var iterator = events?.makeAsyncIterator()
    events = nil
    expectNoDifference(bus.liveSubscriptions.count, 1)
    bus.send(.systemDidWake)
    #expect(await iterator?.next()?.kind == .systemDidWake)
    iterator = nil
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("When a loop is left", arguments: BusKind.allCases)
  func leftLoop(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    bus.send(all: .systemDidWake, .systemDidWake)
    for await _ in events { break }
    #expect(bus.liveSubscriptions.isEmpty)
    // The next loop begins anew.
    let others = Task {
      for await event in events { return event.sequenceNumber }
      return 0
    }
    await mainQueueToDrain()
    bus.send(.systemDidWake)
    #expect(await others.value == 3)
    #expect(bus.liveSubscriptions.isEmpty)
    withExtendedLifetime(events) {}
  }

  @Test("When the task is cancelled that waits for a value", arguments: BusKind.allCases)
  func cancelledWaiting(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    bus.send(.systemDidWake)
    let isRunning = AsyncGate()
    let task = Task {
      for await _ in events { isRunning.open() }
      return Task.isCancelled
    }
    await isRunning.opened()
    expectNoDifference(bus.liveSubscriptions.count, 1)
    task.cancel()
    #expect(await task.value)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "When the task is cancelled meanwhile: the next value is nil, whatever is buffered",
    arguments: BusKind.allCases
  )
  func cancelledMeanwhile(_ kind: BusKind) async {
    let bus = kind.make()
    let task = Task {
      var iterator = bus.events.asyncSequence().makeAsyncIterator()
      bus.send(all: .systemDidWake, .systemDidWake, .systemDidWake)
      let first = await iterator.next()?.sequenceNumber
      withUnsafeCurrentTask { $0?.cancel() }
      let second = await iterator.next()?.sequenceNumber
      // The row is gone, and the iterator is still there.
      let count = bus.liveSubscriptions.count
      bus.send(.systemDidWake)
      let third = await iterator.next()?.sequenceNumber
      return ([first, second, third], count)
    }
    let (numbers, count) = await task.value
    expectNoDifference(numbers, [1, nil, nil])
    expectNoDifference(count, 0)
  }

  @Test("An iterator that is waiting goes at once", arguments: BusKind.allCases)
  func cancelledInNext(_ kind: BusKind) async {
    let bus = kind.make()
    let events = bus.events.asyncSequence()
    let task = Task {
      var iterator = events.makeAsyncIterator()
      let value = await iterator.next()
      // The iterator lives on.
      defer { withExtendedLifetime(iterator) {} }
      return (value == nil, bus.liveSubscriptions.count)
    }
    await mainQueueToDrain()
    task.cancel()
    let (isNil, count) = await task.value
    #expect(isNil)
    expectNoDifference(count, 0)
  }

  @Test("Nothing of it stays in memory, and it does not keep the bus", arguments: BusKind.allCases)
  func nothingOfSequenceStaysInMemory(_ kind: BusKind) async {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let core = Weak(bus!.core)
    weak let released = bus
    var events: LifecycleSequence? = bus!.events.asyncSequence()
    var iterators = [events!.makeAsyncIterator(), events!.makeAsyncIterator()]
    bus!.send(.systemDidWake)
    for await _ in bus!.phases.asyncSequence() { break }
    bus = nil
    #expect(released == nil)
    #expect(core.isAlive)
    expectNoDifference(iterators.count, 2)
    iterators = []
    events = nil
    await mainQueueToDrain()
    #expect(!core.isAlive)
  }
}

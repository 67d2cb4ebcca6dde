import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

@Suite("Sequences of a bus")
@MainActor
struct SequenceTests {
  private let bus = LifecycleBus(clock: ManualClock())

  // MARK: Values

  @Test("A sequence has the kinds and the catch-up of its publisher")
  func kindsAndCatchUp() async {
    bus.send(.didBecomeActive)
    let kinds: LifecycleEvent.Kinds = [.didBecomeActive, .willTerminate]
    let events = bus.publisher(for: kinds, catchUp: .currentPhase).asyncSequence()
    bus.send(.willTerminate)
    var lines: [String] = []
    for await event in events { lines.append("\(event.shortLine) \(event.origin)") }
    expectNoDifference(lines, ["3 didBecomeActive catchUp", "6 willTerminate manual"])
  }

  @Test("Buffered values are received without suspension")
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

  @Test("The first iterator has all values, and a second one those after its creation")
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

  @Test("The release of the bus ends a sequence after the buffered values")
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

  @Test("A sequence of a bus that has ended ends at once")
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

  @Test("A sequence leaves the bus when it and its iterators are released")
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

  @Test("A sequence leaves the bus when its loop is left, and joins for the next loop")
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

  @Test("A sequence leaves the bus at once when the waiting task is cancelled")
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

  @Test("The next value in a cancelled task is nil, whatever is buffered")
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

  @Test("A bus is released although its sequence and iterators live on")
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

@Suite("Buffer machine of sequences")
struct BufferMachineTests {
  typealias Machine = BufferMachine<Int, Int>

  enum Input: CaseIterable { case offer, wait, finish }

  /// The same in plain arrays, with a bound from either end.
  private struct Oracle {
    let limit: Int?
    let keepsNewest: Bool
    private var values: [Int] = []
    private var waiters: [Int] = []
    private var isFinished = false

    init(limit: Int?, keepsNewest: Bool) {
      self.limit = limit
      self.keepsNewest = keepsNewest
    }

    mutating func handle(_ input: Input, _ number: Int) -> String {
      switch input {
      case .offer where isFinished: return "drop \(number)"
      case .offer:
        if !waiters.isEmpty { return "give \(waiters.removeFirst())" }
        values.append(number)
        guard let limit, values.count > limit else { return "keep" }
        return "drop \(keepsNewest ? values.removeFirst() : values.removeLast())"
      case .wait:
        if !values.isEmpty { return "value \(values.removeFirst())" }
        if isFinished { return "end" }
        waiters.append(number)
        return "waits"
      case .finish:
        isFinished = true
        defer { waiters = [] }
        return "finish \(waiters)"
      }
    }
  }

  private func handle(_ input: Input, _ number: Int, _ machine: inout Machine) -> String {
    switch input {
    case .offer:
      switch machine.offer(number) {
      case (let waiter?, []): "give \(waiter)"
      case (nil, []): "keep"
      case (nil, let dropped): "drop \(dropped.map(String.init).joined(separator: ", "))"
      case (_?, _): "both"
      }
    case .wait:
      switch machine.wait(number) {
      case .some(let value?): "value \(value)"
      case .some(nil): "end"
      case .none: "waits"
      }
    case .finish: "finish \(machine.finish())"
    }
  }

  @Test("Every sequence of offers and waits follows the rules, with every bound")
  func everySequence() {
    func extend(_ machine: Machine, _ oracle: Oracle, _ past: [Input]) {
      guard past.count < 7 else { return }
      for input in Input.allCases {
        var machine = machine
        var oracle = oracle
        let text = handle(input, past.count, &machine)
        let expected = oracle.handle(input, past.count)
        guard text == expected else {
          Issue.record("\(past) \(input): \(text) instead of \(expected)")
          return
        }
        extend(machine, oracle, past + [input])
      }
    }
    extend(Machine(.unbounded), Oracle(limit: nil, keepsNewest: false), [])
    for limit in 0...3 {
      extend(Machine(.bufferingOldest(limit)), Oracle(limit: limit, keepsNewest: false), [])
      extend(Machine(.bufferingNewest(limit)), Oracle(limit: limit, keepsNewest: true), [])
    }
  }

  @Test("No state follows itself in every sequence of states, with every bound")
  func everySequenceOfStates() {
    /// Offers and takes states, and expects that what is received does not repeat itself, and ends
    /// with the state, if the newest are kept.
    func extend(_ machine: Machine, _ state: Int, _ received: [Int], _ limit: Int?, _ depth: Int) {
      for next in 0...2 where next != state {
        var machine = machine
        _ = machine.offer(next)
        check(machine, next, received, limit, depth)
      }
      var (machine, received) = (machine, received)
      if case .some(let value?) = machine.wait(0) {
        received.append(value)
        check(machine, state, received, limit, depth)
      }
    }
    func check(_ machine: Machine, _ state: Int, _ received: [Int], _ limit: Int?, _ depth: Int) {
      var (rest, all) = (machine, received)
      while case .some(let value?) = rest.wait(0) { all.append(value) }
      if zip(all, all.dropFirst()).contains(where: ==) { Issue.record("\(limit as Any): \(all)") }
      if limit != nil, all.last != state { Issue.record("\(limit as Any): \(all) at \(state)") }
      if depth > 1 { extend(machine, state, received, limit, depth - 1) }
    }
    for limit in 1...3 {
      extend(Machine(.bufferingNewest(limit), isSame: ==), -1, [], limit, 8)
      extend(Machine(.bufferingOldest(limit), isSame: ==), -1, [], nil, 8)
    }
  }

  @Test("A repeated state is received if the buffer has no limit")
  func unboundedStates() {
    var machine = Machine(.unbounded, isSame: ==)
    for _ in 1...2 {
      _ = machine.offer(1)
      expectNoDifference(machine.wait(0), .some(1))
    }
  }
}

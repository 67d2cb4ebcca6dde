import CustomDump
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Tasks of a scope that receive a stream")
@MainActor
struct ScopeStreamTaskTests {
  private let bus = LifecycleBus(clock: ManualClock())

  @Test("A scope's task receives what is sent before its first turn, a plain Task does not")
  func beforeTheFirstTurn() async {
    let scope = LifecycleScope()
    let obvious = Task { [bus] in
      var lines: [String] = []
      for await event in bus.events.asyncSequence() { lines.append(event.shortLine) }
      return lines
    }
    let task = scope.task(for: bus.events) { events in
      var lines: [String] = []
      for await event in events { lines.append(event.shortLine) }
      return lines
    }
    bus.send(all: .didFinishLaunching, .systemDidWake)
    while bus.diagnostics.liveSubscriptions.count < 2 { await mainQueueToDrain() }
    bus.send(all: .systemWillSleep, .willTerminate)
    let some = await obvious.value
    let all = await task.value
    expectNoDifference(some, ["3 systemWillSleep", "4 willTerminate"])
    expectNoDifference(all, ["1 didFinishLaunching", "2 systemDidWake"] + some)
  }

  // MARK: Ends

  @Test("The end of the scope ends the loop, whatever is buffered")
  func endOfTheScope() async {
    let scope = LifecycleScope()
    let isWaiting = AsyncGate()
    let waiting = scope.task(for: bus.phases) { phases in
      for await _ in phases { isWaiting.open() }
      return Task.isCancelled
    }
    await isWaiting.opened()
    let notBegun = scope.task(for: bus.events) { events in
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    bus.send(all: .systemDidWake, .systemWillSleep)
    scope.end()
    #expect(await waiting.value)
    #expect(await notBegun.value == 0)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    expectNoDifference(scope.core.entryCount, 0)
  }

  @Test("A busy loop buffers as many values as it asked for")
  func buffering() async {
    let scope = LifecycleScope()
    let task = scope.task(for: bus.events, buffering: .bufferingNewest(1), line: 17) { events in
      var lines: [String] = []
      for await event in events { lines.append(event.shortLine) }
      return lines
    }
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [17])
    bus.send(all: .systemDidWake, .systemWillSleep, .willTerminate)
    let values = await task.value
    expectNoDifference(values, ["3 willTerminate"])
  }

  // MARK: Tasks

  @Test("A task for a stream has the name and the priority that were asked for")
  func nameAndPriority() async {
    let scope = LifecycleScope()
    let check: @Sendable () -> Bool = {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return true }
      return Task.name == "indexer" && Task.basePriority == .low
    }
    let task = scope.task(for: bus.events, name: "indexer", priority: .low) { _ in check() }
    #expect(await task.value)
  }
}

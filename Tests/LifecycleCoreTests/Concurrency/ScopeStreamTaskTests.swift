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

  // MARK: The natural forms

  /// A view model, as the documentation shows it.
  @MainActor
  private final class ViewModel {
    private(set) var lines: [String] = []
    private let scope = LifecycleScope("view model")

    init(_ bus: some LifecycleBusProtocol) {
      scope.task(for: bus.events) { [weak self] events in
        for await event in events { self?.lines.append(event.shortLine) }
      }
    }
  }

  @Test("A view model that receives a stream in its scope is released")
  func viewModel() async {
    var model: ViewModel? = ViewModel(bus)
    weak let weakModel = model
    bus.send(all: .systemDidWake, .systemWillSleep)
    while model?.lines.count != 2 { await mainQueueToDrain() }
    expectNoDifference(model?.lines, ["1 systemDidWake", "2 systemWillSleep"])
    model = nil
    #expect(weakModel == nil)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
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

  @Test("The release of the bus ends the loop after the buffered values")
  func endOfTheBus() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let weakBus = bus
    let scope = LifecycleScope()
    let task = scope.task(for: bus!.events) { events in
      var lines: [String] = []
      for await event in events { lines.append(event.shortLine) }
      return lines
    }
    bus?.send(.systemDidWake)
    bus = nil
    #expect(weakBus == nil)
    let values = await task.value
    expectNoDifference(values, ["1 systemDidWake"])
    #expect(!scope.isEnded)
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

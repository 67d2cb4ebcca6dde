#if canImport(SwiftUI) || DEBUG
  import CustomDump
  import LifecycleTesting
  import TestSupport
  import Testing

  @testable import ReactiveLifecycle

  /// `onOpen` of a view that appears and disappears.
  @Suite("Openings of a view", .timeLimit(.minutes(5)))
  @MainActor
  struct ViewOpeningsTests {
    private let life = ScriptedLifecycle()
    private let trace = Trace()
    private let openings = ViewOpenings()

    init() {
      openings.action = { [trace] in trace("opening \($0.number)") }
    }

    /// Lets the view appear: the task is that of the modifier, and is cancelled as it disappears.
    private func appear(_ filter: ViewOpenings.Filter = .init()) async -> Task<Void, Never> {
      let task = Task { [openings, bus = life.bus] in await openings.perform(of: bus, filter) }
      await life.perform(.advance(by: .zero))
      return task
    }

    private func disappear(_ task: Task<Void, Never>) async {
      task.cancel()
      await task.value
    }

    @Test("A view has each opening once, the current one included, and the newest it has missed")
    func eachOpeningOnce() async {
      await life.perform(.launch, .becomeActive)
      let first = await appear()
      expectNoDifference(life.bus.diagnostics.liveSubscriptions.map(\.location.scope), ["onOpen"])
      await life.perform(.resignActive, .becomeActive, .background(for: .seconds(5)))
      await disappear(first)
      let second = await appear()
      expectNoDifference(trace.take(), ["opening 1", "opening 2"])
      await disappear(second)
      await life.perform(.background(for: .seconds(5)), .background(for: .seconds(5)))
      expectNoDifference(trace.take(), [])
      let third = await appear()
      expectNoDifference(trace.take(), ["opening 4"])
      await disappear(third)
    }

    @Test("A new opening cancels the action that still runs, and waits for its clean-up")
    func latestWins() async {
      let gate = AsyncStream.makeStream(of: Void.self)
      openings.action = { [trace] opening in
        trace("opening \(opening.number)")
        guard opening.number == 1 else { return }
        // Waits whether or not it is cancelled.
        await Task { for await _ in gate.stream { return } }.value
        trace(Task.isCancelled ? "cancelled" : "done")
      }
      await life.perform(.launch, .becomeActive)
      let view = await appear()
      await life.perform(.background(for: .seconds(5)), .background(for: .seconds(5)))
      expectNoDifference(trace.take(), ["opening 1"])
      gate.continuation.yield()
      await life.perform(.advance(by: .zero))
      expectNoDifference(trace.take(), ["cancelled", "opening 3"])
      await disappear(view)
    }

    @Test("An action that is cancelled as the view disappears is performed again when it reappears")
    func cancelledWithTheView() async {
      openings.action = { [trace] opening in
        trace("opening \(opening.number)")
        try? await Task.sleep(for: .seconds(3600))
      }
      await life.perform(.launch, .becomeActive)
      let first = await appear()
      await disappear(first)
      openings.action = { [trace] in trace("opening \($0.number) at last") }
      let second = await appear()
      expectNoDifference(trace.take(), ["opening 1", "opening 1 at last"])
      await disappear(second)
    }

    @Test("The time away counts, save for the view's first opening, which initial can leave out")
    func filtered() async {
      await life.perform(.launch, .becomeActive, .background(for: .seconds(5)))
      let view = await appear(.init(after: .seconds(60)))
      await life.perform(.background(for: .seconds(59)), .background(for: .seconds(60)))
      expectNoDifference(trace.take(), ["opening 2", "opening 4"])
      await disappear(view)
      let other = ViewOpenings()
      other.action = openings.action
      let lock = Task { [bus = life.bus] in
        await other.perform(of: bus, .init(after: .seconds(60), at: .active, initial: false))
      }
      await life.perform(.background(for: .seconds(5)), .enterBackground)
      await life.perform(.advance(by: .seconds(60)), .enterForeground)
      expectNoDifference(trace.take(), [])
      await life.perform(.becomeActive)
      expectNoDifference(trace.take(), ["opening 6"])
      await disappear(lock)
    }

    @Test("A view that gets another bus has the current opening of that bus")
    func anotherBus() async {
      await life.perform(.launch, .becomeActive)
      await disappear(await appear())
      let window = LifecycleBus(parent: life.bus)
      window.send(.didBecomeActive)
      let view = Task { [openings] in await openings.perform(of: window, .init()) }
      await life.perform(.advance(by: .zero))
      expectNoDifference(trace.take(), ["opening 1", "opening 1"])
      await disappear(view)
    }

    @Test("A preview has the phase that it asks for", arguments: LifecyclePhase.allCases)
    func preview(phase: LifecyclePhase) {
      let bus = LifecycleBus.preview(in: phase)
      #expect(bus.phase == phase)
      #expect(LifecycleBus.preview(in: phase) === bus)
      #expect(bus.observableState.phase == phase)
    }
  }
#endif

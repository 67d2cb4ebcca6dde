import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import LifecycleTesting
import Observation
import TestSupport
import Testing

@Suite("Steps of an asynchronous test let main-actor tasks settle")
@MainActor
struct SettlingTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @Observable
  final class Feed {
    var articles = 0
  }

  private let lifecycle = ScriptedLifecycle()
  private let scope = LifecycleScope("test")

  @Test("A task that a step starts, and one that this starts, have run before the next step")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func startedTask() async {
    let feed = Feed()
    lifecycle.transcribe(feed, \.articles, as: "articles")
    lifecycle.bus.addObserver(for: [.didBecomeActive, .willResignActive], in: scope) { _ in
      Task { Task { feed.articles += 1 } }
    }
    await lifecycle.perform(.launch, .becomeActive, .enterBackground)
    expectLifecycle(
      lifecycle,
      matches: """
          [0 s unknown] articles: 0
        launch
          [0 s background] didFinishLaunching
        becomeActive
          [0 s inactive] willEnterForeground
          [0 s active] didBecomeActive
          [0 s active] articles: 1
        enterBackground
          [0 s inactive] willResignActive
          [0 s background] didEnterBackground
          [0 s background] articles: 2
        """
    )
  }

  @Test("Tasks that a step resumes have run when the step is complete")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func waitingTasks() async {
    let feed = Feed()
    let bus = lifecycle.bus
    let events = lifecycle.transcribe(bus.events.asyncSequence(), as: "events")
    let gate = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in gate.stream { feed.articles += 1 }
    }
    let numbers = lifecycle.recorder(of: Int.self, as: "number")
    let waiting = Task {
      while let number = try await numbers.next() { feed.articles += number }
    }
    bus.addObserver(for: [.didBecomeActive], in: scope) { _ in
      gate.continuation.yield()
      numbers.record(10)
    }
    await lifecycle.perform(.launch)
    expectNoDifference(events.elements.count, 1)
    await lifecycle.perform(.becomeActive)
    expectNoDifference(events.elements.count, 3)
    expectNoDifference(feed.articles, 11)
    task.cancel()
    waiting.cancel()
  }

  @Test("Tasks that a replayed record starts have run before the next record")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func replay() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(9))
    bus.send(.didEnterBackground)
    let feed = Feed()
    let replay = ScriptedLifecycle(replaying: [recorder.recording]) { process in
      process.transcribe(feed, \.articles, as: "articles")
      process.bus.addObserver(feed, for: [.didBecomeActive, .willResignActive]) { feed, _ in
        Task { feed.articles += 1 }
      }
    }
    await replay.replay(until: .seconds(5))
    expectNoDifference(feed.articles, 1)
    await replay.replay()
    let entries = replay.transcript.lines.map(\.description).filter { $0.contains("articles") }
    expectNoDifference(
      entries,
      [
        "  [0 s unknown] articles: 0", "  [0 s active] articles: 1",
        "  [9 s background] articles: 2",
      ]
    )
  }
}

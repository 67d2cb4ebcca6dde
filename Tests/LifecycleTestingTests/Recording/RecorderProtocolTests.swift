import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Recorder: breaches of the Combine protocol")
struct RecorderBreachTests {
  struct Breach: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let words: String
    let commit: @Sendable (RoguePublisher) -> Void
    var elements: [Int] = []

    static let all: [Breach] = [
      Breach(
        testDescription: "a second subscription",
        words: "sent a second subscription",
        commit: { $0.subscribe(as: "second: ") }
      ),
      Breach(
        testDescription: "a value that was not requested",
        words: "sent a value that was not requested: 3",
        commit: { for value in 1...3 { $0.send(value) } },
        elements: [1, 2, 3]
      ),
      Breach(
        testDescription: "a value after the completion",
        words: "sent a value after its completion: 1",
        commit: {
          $0.finish()
          $0.send(1)
        },
        elements: [1]
      ),
      Breach(
        testDescription: "a value after the failure",
        words: "sent a value after its completion: 1",
        commit: {
          $0.finish(.failure(RecordedFailure()))
          $0.send(1)
        },
        elements: [1]
      ),
      Breach(
        testDescription: "a second completion",
        words: "completed a second time",
        commit: {
          $0.finish()
          $0.finish(.failure(RecordedFailure()))
        }
      ),
    ]

    static let early: [Breach] = [
      Breach(
        testDescription: "a value before the subscription",
        words: "sent a value before the subscription: 1",
        commit: { $0.send(1) },
        elements: [1]
      ),
      Breach(
        testDescription: "a completion before the subscription",
        words: "completed before the subscription",
        commit: { $0.finish() }
      ),
    ]
  }

  @Test("A breach is reported at once, where the recorder was made", arguments: Breach.all)
  func breachIsReportedAtOnce(_ breach: Breach) async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let publisher = RoguePublisher()
    let line = #line + 1
    let recorder = LifecycleRecorder(publisher, of: bus, demand: .max(2))
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(3))
    let found = await complaints { breach.commit(publisher) }
    expectNoDifference(
      found,
      [Self.complaint(breach.words, "3 s, in the phase active", line: line)]
    )
    expectNoDifference(recorder.elements, breach.elements)
  }

  @Test("What comes before the subscription is reported", arguments: Breach.early)
  func valueBeforeTheSubscription(_ breach: Breach) async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let publisher = RoguePublisher()
    publisher.onSubscribe = { breach.commit($0) }
    var recorder: LifecycleRecorder<Int, RecordedFailure>?
    var line = 0
    let found = await complaints {
      line = #line + 1
      recorder = LifecycleRecorder(publisher, of: bus)
    }
    expectNoDifference(
      found,
      [Self.complaint(breach.words, "0 s, in the phase unknown", line: line)]
    )
    expectNoDifference(recorder?.elements, breach.elements)
  }

  @Test("A second subscription is cancelled, and the first one goes on")
  func secondSubscription() async {
    let publisher = RoguePublisher()
    publisher.onSubscribe = { _ in }
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus(), demand: .max(1))
    publisher.subscribe(as: "first: ")
    _ = await complaints { publisher.subscribe(as: "second: ") }
    publisher.send(1)
    recorder.request(.max(2))
    expectNoDifference(
      publisher.asked,
      ["first: request max(1)", "second: cancel", "first: request max(2)"]
    )
    expectNoDifference(recorder.elements, [1])
  }

  @Test("A recorder of a lifecycle says its name")
  @MainActor
  func lifecycleRecorderSaysItsName() async {
    let lifecycle = ScriptedLifecycle()
    let publisher = RoguePublisher()
    let line = #line + 1
    let recorder = lifecycle.transcribe(publisher, as: "codes")
    let found = await complaints {
      publisher.finish()
      publisher.finish()
    }
    let words = """
      The publisher recorded as "codes" violated the Combine protocol at 0 s, in the phase \
      unknown: it completed a second time.
      """
    expectNoDifference(found, [Complaint(words, line: line)])
    expectNoDifference("\(recorder.transcript)", "  [0 s unknown] codes: completed")
  }

  // MARK: On other threads

  @Test("A breach on another thread is reported when the test looks", arguments: 0..<6)
  func otherThread(_ look: Int) async {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let line = #line + 1
    let recorder = LifecycleRecorder(publisher, of: bus)
    onOtherThread {
      publisher.finish()
      publisher.send(1)
    }
    let found = await complaints {
      switch look {
      case 0: _ = recorder.elements
      case 1: _ = recorder.entries
      case 2: _ = recorder.completion
      case 3: _ = recorder.transcript
      case 4: _ = try? await recorder.next()
      default: recorder.cancel()
      }
    }
    let complaint = Self.complaint(
      "sent a value after its completion: 1",
      "0 s, in the phase unknown",
      line: line
    )
    expectNoDifference(found, [complaint])
    let foundAgain = await complaints { _ = recorder.elements }
    expectNoDifference(foundAgain, [])
  }

  @Test("A breach on another thread is reported when the recorder is released at the latest")
  func breachIsReportedOnRelease() async {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let line = #line + 1
    var recorder: LifecycleRecorder? = LifecycleRecorder(publisher, of: bus)
    onOtherThread {
      publisher.finish()
      publisher.finish()
    }
    // The publisher still holds its subscriber.
    let found = await complaints { recorder = nil }
    expectNoDifference(
      found,
      [Self.complaint("completed a second time", "0 s, in the phase unknown", line: line)]
    )
    #expect(recorder == nil && publisher.subscriber != nil)
  }

  private static func complaint(_ words: String, _ moment: String, line: Int) -> Complaint {
    Complaint(
      """
      The recorded publisher violated the Combine protocol at \(moment): it \(words).
      """,
      line: line
    )
  }
}

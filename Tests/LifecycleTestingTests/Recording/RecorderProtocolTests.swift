import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@Suite("Recorder: breaches of the Combine protocol")
struct RecorderBreachTests {
  struct Breach: CustomTestStringConvertible, Sendable {
    let words: String
    let elements: [Int]
    let commit: @Sendable (RoguePublisher) -> Void
    var testDescription: String { words }

    init(
      _ words: String,
      elements: [Int] = [],
      commit: @escaping @Sendable (RoguePublisher) -> Void
    ) {
      self.words = words
      self.elements = elements
      self.commit = commit
    }

    static let all: [Breach] = [
      Breach("sent a second subscription") { $0.subscribe(as: "second: ") },
      Breach("sent a value that was not requested: 3", elements: [1, 2, 3]) {
        for value in 1...3 { $0.send(value) }
      },
      Breach("sent a value after its completion: 1", elements: [1]) {
        $0.finish()
        $0.send(1)
      },
      Breach("sent a value after its completion: 2", elements: [2]) {
        $0.finish(.failure(RecordedFailure()))
        $0.send(2)
      },
      Breach("completed a second time") {
        $0.finish()
        $0.finish(.failure(RecordedFailure()))
      },
    ]

    static let early: [Breach] = [
      Breach("sent a value before the subscription: 1", elements: [1]) { $0.send(1) },
      Breach("completed before the subscription") { $0.finish() },
    ]
  }

  @Test("A breach is reported at once, where the recorder was made", arguments: Breach.all)
  func breachIsReportedAtOnce(_ breach: Breach) {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let publisher = RoguePublisher()
    let line = #line + 1
    let recorder = LifecycleRecorder(publisher, of: bus, demand: .max(2))
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(3))
    expectReportedIssue(complaint(breach.words, "3 s, in the phase active"), line: line) {
      breach.commit(publisher)
    }
    expectNoDifference(recorder.elements, breach.elements)
  }

  @Test("What comes before the subscription is reported", arguments: Breach.early)
  func valueBeforeTheSubscription(_ breach: Breach) {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let publisher = RoguePublisher()
    publisher.onSubscribe = { breach.commit($0) }
    var recorder: LifecycleRecorder<Int, RecordedFailure>?
    expectReportedIssue(complaint(breach.words, "0 s, in the phase unknown"), line: #line + 1) {
      recorder = LifecycleRecorder(publisher, of: bus)
    }
    expectNoDifference(recorder?.elements, breach.elements)
  }

  @Test("A second subscription is cancelled, and the first one goes on")
  func secondSubscription() {
    let publisher = RoguePublisher()
    publisher.onSubscribe = { _ in }
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus(), demand: .max(1))
    publisher.subscribe(as: "first: ")
    _ = reportedIssues { publisher.subscribe(as: "second: ") }
    publisher.send(1)
    recorder.request(.max(2))
    expectNoDifference(
      publisher.asked,
      ["first: request max(1)", "second: cancel", "first: request max(2)"]
    )
    expectNoDifference(recorder.elements, [1])
  }

  @Test("A breach of a named recorder is reported with the name")
  @MainActor
  func lifecycleRecorderSaysItsName() {
    let lifecycle = ScriptedLifecycle()
    let publisher = RoguePublisher()
    let line = #line + 1
    let recorder = lifecycle.transcribe(publisher, as: "codes")
    expectReportedIssue(
      """
      The publisher recorded as "codes" violated the Combine protocol at 0 s, in the phase \
      unknown: it completed a second time.
      """,
      line: line
    ) {
      publisher.finish()
      publisher.finish()
    }
    expectNoDifference("\(recorder.transcript)", "  [0 s unknown] codes: completed")
  }

  // MARK: On other threads

  @Test(
    "A breach on another thread is reported when the test next uses the recorder",
    arguments: 0..<6
  )
  func otherThread(_ look: Int) async {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let line = #line + 1
    let recorder = LifecycleRecorder(publisher, of: bus)
    onOtherThread {
      publisher.finish()
      publisher.send(1)
    }
    let found = await reportedIssues {
      switch look {
      case 0: _ = recorder.elements
      case 1: _ = recorder.entries
      case 2: _ = recorder.completion
      case 3: _ = recorder.transcript
      case 4: _ = try? await recorder.next()
      default: recorder.cancel()
      }
    }
    let message = complaint("sent a value after its completion: 1", "0 s, in the phase unknown")
    expectNoDifference(found, [ReportedIssue(message, line: line)])
    expectNoDifference(reportedIssues { _ = recorder.elements }, [])
  }

  @Test("A breach on another thread is reported when the recorder is released at the latest")
  func breachIsReportedOnRelease() {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let line = #line + 1
    var recorder: LifecycleRecorder? = LifecycleRecorder(publisher, of: bus)
    onOtherThread {
      publisher.finish()
      publisher.finish()
    }
    // The publisher still holds its subscriber.
    let message = complaint("completed a second time", "0 s, in the phase unknown")
    expectReportedIssue(message, line: line) { recorder = nil }
    #expect(recorder == nil && publisher.subscriber != nil)
  }

  private func complaint(_ words: String, _ moment: String) -> String {
    "The recorded publisher violated the Combine protocol at \(moment): it \(words)."
  }
}

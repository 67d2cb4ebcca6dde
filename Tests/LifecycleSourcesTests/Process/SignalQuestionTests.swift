import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("The question whether a signal may end the process")
struct SignalQuestionTests {
  @Test("While one bus has not answered, there is no answer, but another bus may have cancelled")
  func cancelledSoFar() async throws {
    let (ready, busy) = (NonisolatedLifecycleBus(), NonisolatedLifecycleBus())
    let scope = LifecycleScope("observers")
    ready.onExitRequest(in: scope) { _ in .cancel }
    let gate = AsyncGate()
    busy.onExitRequest(in: scope) { _ in
      await gate.opened()
      return .exit
    }
    let sources = [FeedSource("ready"), FeedSource("busy")]
    let tokens = [try ready.connect(sources[0]), try busy.connect(sources[1])]
    let connections = sources.map {
      SignalConnection(source: .processSignals(), input: $0.feed)
    }
    let question = SignalQuestion(.terminate, connections, timeout: .seconds(3600))
    #expect(!question.isCancelledSoFar)
    question.ask()
    #expect(await eventually { question.isCancelledSoFar })
    #expect(question.answer == nil)
    gate.open()
    #expect(await eventually { question.answer == true })
    scope.end()
    for token in tokens { token.cancel() }
  }
}

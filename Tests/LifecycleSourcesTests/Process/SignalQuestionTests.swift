import CustomDump
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
    let (first, firstToken) = try makeConnection(to: ready)
    let (second, secondToken) = try makeConnection(to: busy)
    let question = SignalQuestion(.terminate, [first, second], timeout: .seconds(3600))
    #expect(!question.isCancelledSoFar)
    question.ask()
    #expect(await eventually { question.isCancelledSoFar })
    expectNoDifference(question.answer, nil)
    gate.open()
    #expect(await eventually { question.answer == true })
    scope.end()
    firstToken.cancel()
    secondToken.cancel()
  }
}

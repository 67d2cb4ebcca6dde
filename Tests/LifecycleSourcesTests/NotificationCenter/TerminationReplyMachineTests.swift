import CustomDump
import Testing

@testable import LifecycleSources

@Suite("The answer to a system that asks whether a process may end")
struct TerminationReplyMachineTests {
  @Test("Known in time, it is returned, and not given again", arguments: [false, true])
  func inTime(_ mayEnd: Bool) {
    var machine = TerminationReplyMachine()
    let isGiven = machine.answer(mayEnd)
    let returned = machine.returnNow()
    #expect(!isGiven)
    expectNoDifference(returned, mayEnd)
  }

  @Test("Known later, it is given then", arguments: [false, true])
  func later(_ mayEnd: Bool) {
    var machine = TerminationReplyMachine()
    let returned = machine.returnNow()
    let isGiven = machine.answer(mayEnd)
    expectNoDifference(returned, nil)
    #expect(isGiven)
  }
}

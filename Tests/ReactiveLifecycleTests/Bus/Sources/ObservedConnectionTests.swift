import CustomDump
import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Sources that are connected while the bus is observed: the connection")
struct ObservedConnectionTests {
  @Test("An observer that comes after the end connects nothing")
  func observerAfterTheEnd() {
    let trace = Trace()
    let connection = ObservedConnection {
      trace("connected")
      return LifecycleCancellable { trace("disconnected") }
    } onFailure: {
      trace("\($0)")
    }
    connection.note(isObserved: true)
    connection.note(isObserved: false)
    expectNoDifference(trace.take(), ["connected", "disconnected"])
    connection.end()
    connection.note(isObserved: true)
    expectNoDifference(trace.take(), [])
  }
}

import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Sources that are connected while the bus is observed")
@MainActor
struct ConnectWhileObservedTests {
  private let bus = LifecycleBus(clock: ManualClock())
  private let trace = Trace()

  private struct StartError: Error, CustomStringConvertible {
    var description: String { "There is no sensor. Plug one in." }
  }

  /// Traces when it starts and stops, and reports that the process is active.
  private struct Sensor: LifecycleSource {
    let name: LifecycleSourceName = "sensor"
    let trace: Trace
    var error: StartError?

    func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
      if let error { throw error }
      trace("start")
      input.send(.didBecomeActive)
      return { [trace] in trace("stop") }
    }
  }

  @Test("The first observer starts it and receives its phase, the last one stops it")
  func firstAndLastObserver() {
    let connection = bus.connectWhileObserved(Sensor(trace: trace))
    let first = bus.addObserver { [trace] in trace("\($0.kind)") }
    expectNoDifference(
      trace.take(),
      ["start", "didFinishLaunching", "willEnterForeground", "didBecomeActive"]
    )
    let second = bus.events.sink { _ in }
    first.cancel()
    expectNoDifference(trace.take(), [])
    second.cancel()
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), [])
  }

  @Test("Observers of its kinds count, also those from before; fed buses and lost owners do")
  func whoCounts() {
    var owner: Owner? = Owner()
    bus.addObserver(owner!, for: .didReceiveMemoryWarning) { _, _ in }
    let connection = bus.connectWhileObserved(Sensor(trace: trace), for: .didReceiveMemoryWarning)
    let other = bus.addObserver(for: .transitions) { _ in }
    expectNoDifference(trace.take(), ["start"])
    // Until others register, or its event comes.
    owner = nil
    expectNoDifference(trace.take(), [])
    bus.send(.didReceiveMemoryWarning)
    expectNoDifference(trace.take(), ["stop"])
    var child: LifecycleBus? = LifecycleBus(parent: bus)
    expectNoDifference(trace.take(), ["start"])
    _ = child.take()
    expectNoDifference(trace.take(), ["stop"])
    other.cancel()
    connection.cancel()
  }

  @Test("In a delivery it starts after the event, for observers that are there then")
  func inDelivery() {
    let connection = bus.connectWhileObserved(Sensor(trace: trace), for: .didReceiveMemoryWarning)
    let scope = LifecycleScope()
    let token = bus.addObserver(for: .systemDidWake) { [trace, unowned bus] _ in
      bus.addObserver(for: .didReceiveMemoryWarning) { _ in }.cancel()
      bus.addObserver(for: .didReceiveMemoryWarning, in: scope) { _ in }
      trace("observer returns")
    }
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), ["observer returns", "start"])
    scope.end()
    expectNoDifference(trace.take(), ["stop"])
    token.cancel()
    connection.cancel()
  }

  @Test("A start that fails calls the closure, or is reported at the caller's line")
  func failure() {
    let sensor = Sensor(trace: trace, error: StartError())
    let first = bus.connectWhileObserved(sensor) { [trace] in trace("\($0)") }
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), ["There is no sensor. Plug one in."])
    first.cancel()
    let second = bus.connectWhileObserved(sensor, line: 7)
    expectReportedIssue(
      """
      The source "sensor" could not start when the bus began to be observed: There is no \
      sensor. Plug one in. It is started again with the next first observer. To handle the \
      error, pass `onFailure`.
      """,
      line: 7
    ) { bus.addObserver { _ in }.cancel() }
    second.cancel()
  }

  @Test("The end of the bus stops it")
  func endOfTheBus() {
    let connection = bus.connectWhileObserved(Sensor(trace: trace))
    let token = bus.addObserver { _ in }
    bus.send(.willTerminate)
    expectNoDifference(trace.take(), ["start", "stop"])
    token.cancel()
    connection.cancel()
  }
}

import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension ConnectWhileObservedTests {
  @Test("A bus that it feeds is an observer", arguments: BusKind.allCases)
  func fedBus(_ kind: BusKind) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source)
    var child: LifecycleBus? = LifecycleBus(parent: bus)
    expectNoDifference(trace.take(), ["start"])
    expectNoDifference(child?.send(.didBecomeActive), .delivered)
    child = nil
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  @Test("An object that follows the bus is an observer")
  func observableObject() {
    let bus = LifecycleBus(clock: ManualClock())
    let connection = bus.connectWhileObserved(source)
    var lifecycle: ObservableLifecycle? = ObservableLifecycle(bus)
    expectNoDifference(trace.take(), ["start"])
    expectNoDifference(lifecycle?.phase, .active)
    lifecycle = nil
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  // MARK: The phase

  @Test("After the stop the bus has the phase of its other sources", arguments: BusKind.allCases)
  func phaseOfTheOthers(_ kind: BusKind) throws {
    let bus = kind.make()
    let window = TestSource("window")
    let other = try bus.connect(window, as: .participant("window"))
    window.input.send(.willEnterForeground)
    let connection = bus.connectWhileObserved(source, as: .participant("sensor"))
    let token = bus.addObserver { _ in }
    expectNoDifference(bus.phase, .active)
    token.cancel()
    expectNoDifference(bus.phase, .inactive)
    connection.cancel()
    other.cancel()
  }

  @Test(
    "A source that is a ceiling holds the bus down while it is observed",
    arguments: BusKind.allCases
  )
  func ceiling(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let lock = ClosureSource { input in
      input.send(.didFinishLaunching)
      return {}
    }
    let connection = bus.connectWhileObserved(lock, as: .ceiling)
    expectNoDifference(bus.phase, .active)
    let token = bus.addObserver { _ in }
    expectNoDifference(bus.phase, .background)
    token.cancel()
    expectNoDifference(bus.phase, .active)
    connection.cancel()
  }

  // MARK: Other threads

  @Test("Observed and left on another thread, it starts and stops on the main actor, in turn")
  func otherThread() async {
    let bus = LifecycleBus(clock: ManualClock())
    let source = ClosureSource { [trace] _ in
      trace("start, on the main actor: \(MainQueue.isCurrent)")
      return { trace("stop, on the main actor: \(MainQueue.isCurrent)") }
    }
    let connection = bus.connectWhileObserved(source, for: .didReceiveMemoryWarning)
    let witness = bus.addObserver(for: .systemDidWake) { [trace] _ in trace("delivered") }
    // The main actor is blocked meanwhile.
    let token = onOtherThread {
      bus.send(.systemDidWake)
      return bus.addObserver(for: .didReceiveMemoryWarning) { _ in }
    }
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["delivered", "start, on the main actor: true"])
    onOtherThread {
      bus.send(.systemDidWake)
      token.cancel()
    }
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["delivered", "stop, on the main actor: true"])
    witness.cancel()
    connection.cancel()
  }

  @Test("Observed on another thread, a start that fails calls the closure on the main actor")
  func failureOnOtherThread() async {
    let bus = LifecycleBus(clock: ManualClock())
    let source = ClosureSource { _ in throw StartError() }
    let connection = bus.connectWhileObserved(source) { [trace] error in
      trace("\(error is StartError), on the main actor: \(MainQueue.isCurrent)")
    }
    let token = onOtherThread { bus.addObserver { _ in } }
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["true, on the main actor: true"])
    token.cancel()
    connection.cancel()
  }
}

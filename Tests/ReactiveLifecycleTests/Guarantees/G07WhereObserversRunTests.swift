import CustomDump
import Dispatch
import Foundation
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G7 Where observers run")
struct G07WhereObserversRunTests {
  @Test("Sent on the main actor, an input is delivered when send returns")
  func synchronousOnMainActor() {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.shortLine)
    }
    expectNoDifference(bus.send(.willEnterForeground), .delivered)
    trace("sent")
    token.cancel()
    expectNoDifference(trace.lines, ["1 didFinishLaunching", "2 willEnterForeground", "sent"])
  }

  @Test("Sent from another thread, inputs follow on the main actor, in order, without loss")
  func sentFromAnotherThread() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.metadata["number"] ?? "-")
    }
    let outcomes = onOtherThread {
      (1...100).map { bus.send(.systemDidWake, metadata: ["number": "\($0)"]).line }
    }
    // The main actor was blocked meanwhile: nothing can have been delivered.
    expectNoDifference(trace.lines, [])
    expectNoDifference(outcomes, Array(repeating: "queued", count: 100))
    expectNoDifference(bus.phase, .unknown)
    // An input from the main actor comes after them, and takes them along.
    expectNoDifference(bus.send(.systemDidWake, metadata: ["number": "101"]), .delivered)
    expectNoDifference(trace.lines, (1...101).map(String.init))
    _ = onOtherThread { bus.send(.systemDidWake, metadata: ["number": "102"]) }
    await mainQueueToDrain()
    expectNoDifference(trace.lines, (1...102).map(String.init))
    token.cancel()
  }

  @Test("Sent from other threads at once, each thread's inputs keep their order")
  func hopFromManyThreads() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.metadata["number"] ?? "-")
    }
    await awaitOtherThreads(4) { thread in
      for number in 1...100 {
        bus.send(.systemDidWake, metadata: ["number": "\(thread).\(number)"])
      }
    }
    await mainQueueToDrain()
    token.cancel()
    for thread in 0..<4 {
      expectNoDifference(
        trace.lines.filter { $0.hasPrefix("\(thread).") },
        (1...100).map { "\(thread).\($0)" }
      )
    }
    expectNoDifference(trace.lines.count, 400)
  }

  @Test("After an await the main actor may be another thread: still delivered at once")
  func mainActorOnWorkerThread() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.shortLine)
    }
    for _ in 1...20 {
      await Task.yield()
      await awaitOtherThread {}
      expectNoDifference(bus.send(.systemDidWake), .delivered)
    }
    token.cancel()
    expectNoDifference(trace.lines, (1...20).map { "\($0) systemDidWake" })
  }

  @Test("Closures, subscribers, catch-up, captures: all on the main actor")
  func everyFormOnMainActor() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let registrations = await awaitOtherThread {
      let registrations = ObserverForm.allCases.map { form in
        form.observe(bus) {
          MainActor.assertIsolated()
          trace($0)
        }
      }
      let token = bus.addObserver(catchUp: .path) { _ in MainActor.assertIsolated() }
      bus.send(all: .didEnterBackground, .didEnterBackground, .willEnterForeground)
      return UncheckedBox((registrations, token))
    }
    await mainQueueToDrain()
    for form in ObserverForm.allCases {
      #expect(trace.lines.contains(form.rawValue), "\(form)")
    }
    for registration in registrations.value!.0 { registration.cancel() }
  }

  @Test("Catch-up of an observer that joins off the main actor follows there")
  func catchUpFromOtherThread() async {
    let bus = LifecycleBus()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let token = onOtherThread {
      bus.addObserver(catchUp: .path) { event in
        MainActor.assertIsolated()
        trace(event.line)
      }
    }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(
      trace.lines,
      [
        "2 didFinishLaunching unknown→background catchUp",
        "2 willEnterForeground background→inactive catchUp",
      ]
    )
    token.cancel()
  }

  @Test("A closure on a main-actor bus reads the view model's state, with no annotation")
  func mainActorState() {
    let model = MainActorModel()
    model.observe(LifecycleBus())
    expectNoDifference(model.calls, ["scope", "owner", "token"])
  }

  @Test("Generic code observes any bus, where that delivers", arguments: BusKind.allCases)
  func genericCode(_ kind: BusKind) async {
    let bus = kind.make()
    let trace = Trace()
    let registrations = await awaitOtherThread {
      let registrations = UncheckedBox(register(on: bus) { trace($0) })
      bus.send(all: .didEnterBackground, .willEnterForeground)
      if bus is NonisolatedLifecycleBus { expectNoDifference(Set(trace.take()), Self.closureForms) }
      return registrations
    }
    await mainQueueToDrain()
    if bus is LifecycleBus { expectNoDifference(Set(trace.lines), Self.closureForms) }
    registrations.value!.cancel()
  }

  private nonisolated static let closureForms: Set = [
    "token", "scope", "owner", "return", "return of the owner", "capture", "captured",
  ]

  @Test("A nonisolated bus delivers on the sending thread")
  func onSendingThread() async {
    let bus = NonisolatedLifecycleBus()
    let threads = Locked<[ObjectIdentifier]>([])
    let token = bus.addObserver { _ in
      let thread = currentThread()
      threads.withLock { $0.append(thread) }
    }
    bus.send(.systemDidWake)
    let here = currentThread()
    let (other, outcome) = await awaitOtherThread {
      let outcome = bus.send(.systemDidWake)
      return (currentThread(), outcome)
    }
    #expect(outcome == .delivered)
    #expect(threads.withLock { $0 } == [here, other])
    token.cancel()
  }

  @Test("A nonisolated bus makes one delivery at a time; send does not wait for it")
  func oneDeliveryAtATime() async {
    let bus = NonisolatedLifecycleBus()
    let trace = Trace()
    let isRunning = AsyncGate()
    let mayFinish = ThreadGate()
    let token = bus.addObserver { event in
      trace("begins \(event.sequenceNumber)")
      isRunning.open()
      mayFinish.wait()
      trace("ends \(event.sequenceNumber)")
    }
    async let first = awaitOtherThread { bus.send(.systemDidWake) }
    await isRunning.opened()
    // While another thread is inside the observer:
    let queued = bus.send(.systemWillSleep)
    let suppressed = bus.suppressedCount(.duplicate)
    trace("\(queued.line), phase \(bus.phase), \(suppressed)")
    mayFinish.open()
    #expect(await first == .delivered)
    token.cancel()
    expectNoDifference(
      trace.lines,
      ["begins 1", "queued, phase unknown, 0", "ends 1", "begins 2", "ends 2"]
    )
  }

  @Test("send says what became of the input", arguments: BusKind.allCases)
  func outcomeOfASend(_ kind: BusKind) throws {
    let bus = kind.make()
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let token = bus.addObserver(for: [.didFinishLaunching]) { [unowned bus] _ in
      trace(bus.send(.systemDidWake).line)
      trace(bus.send(.didFinishLaunching).line)
    }
    trace(bus.send(.didFinishLaunching).line)
    trace(source.input.send(.didFinishLaunching).line)
    connection.cancel()
    trace(source.input.send(.didBecomeActive).line)
    bus.send(.willTerminate)
    trace(bus.send(.systemDidWake).line)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "queued", "suppressed duplicate", "delivered", "suppressed duplicate",
        "suppressed disconnected", "suppressed terminated",
      ]
    )
  }

  @Test("A nonisolated bus delivers what is sent meanwhile on the thread that is delivering")
  func sentMeanwhile() {
    let bus = NonisolatedLifecycleBus()
    let threads = Locked<[ObjectIdentifier]>([])
    let outcomes = Trace()
    let token = bus.addObserver { [unowned bus] event in
      let thread = currentThread()
      threads.withLock { $0.append(thread) }
      guard event.sequenceNumber == 1 else { return }
      outcomes(onOtherThread { bus.send(.systemWillSleep).line })
    }
    expectNoDifference(bus.send(.systemDidWake), .delivered)
    let here = currentThread()
    expectNoDifference(threads.withLock { $0 }, [here, here])
    expectNoDifference(outcomes.lines, ["queued"])
    token.cancel()
  }
}

/// Observes with closures that touch the state of its actor.
@MainActor
private final class MainActorModel {
  private(set) var calls: [String] = []

  func observe(_ bus: LifecycleBus) {
    let scope = LifecycleScope()
    bus.addObserver(in: scope) { _ in self.calls.append("scope") }
    bus.addObserver(self) { model, _ in model.calls.append("owner") }
    let token = bus.addObserver { _ in self.calls.append("token") }
    bus.send(.systemDidWake)
    token.cancel()
    scope.end()
  }
}

/// Observes in every form of generic code; `body` gets the form's name, where the bus delivers.
private func register(
  on bus: some LifecycleBusProtocol,
  _ body: @escaping @Sendable (String) -> Void
) -> Registration {
  let isOnMainActor = bus is LifecycleBus
  let called: @Sendable (String) -> Void = { form in
    if isOnMainActor { MainActor.assertIsolated() }
    body(form)
  }
  let scope = LifecycleScope()
  let owner = Owner()
  bus.addObserver(in: scope) { _ in called("scope") }
  bus.addObserver(owner) { _, _ in called("owner") }
  bus.onReturn(in: scope) { _ in called("return") }
  bus.onReturn(owner) { _, _ in called("return of the owner") }
  bus.onReturn(in: scope, capturing: { called("capture") }) { _, _ in called("captured") }
  let token = bus.addObserver { _ in called("token") }
  return Registration(token: token, scope: scope, owner: owner)
}

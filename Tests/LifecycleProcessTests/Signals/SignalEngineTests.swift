import CustomDump
import Dispatch
import Foundation
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleProcess

@Suite("The state of the engine")
struct SignalEngineStateTests {
  #if os(Linux)
    @Test("A connection that is being made when a signal ends the process does not prevent that")
    func dispositionsAreFinal() async {
      await #expect(processExitsWith: .success) {
        try SignalDisposition.install(.idle, for: .hangUp)
        SignalDisposition.makeFinal()
        try SignalDisposition.install(.posting, for: .terminate)
        SignalDisposition(current: .hangUp).install(for: .terminate)
        try #require(SignalDisposition(current: .terminate).isDefault)
      }
    }
  #endif

  #if os(Linux)
    @Test("A thread that calls exit while another one does waits for the end, too")
    func exitOnTwoThreads() async {
      await #expect(processExitsWith: .exitCode(7)) {
        let isFirstHere = Locked(false)
        let isSecondHere = DispatchSemaphore(value: 0)
        ProcessExit.add(at: .wait) {
          if isFirstHere.exchange(true) {
            isSecondHere.signal()
            while true { sleep(1_000) }
          }
          Thread.detachNewThread { exit(0) }
          isSecondHere.wait()
          _exit(7)
        }
        exit(0)
      }
    }
  #endif

  @Test("After an exit that has found no end to wait for, a signal ends the process at once")
  func signalAfterExit() {
    var state = ProcessSignalEngine.State(machine: JobControlMachine(terminal: .foreground))
    state.exitUnlessEnding()
    expectNoDifference(state.handle(.signal(.terminate, at: .now)), [.die(.terminate)])
    var asking = ProcessSignalEngine.State(
      machine: with(JobControlMachine(terminal: .foreground)) { $0.requestsExit = true }
    )
    expectNoDifference(asking.handle(.signal(.terminate, at: .now)), [.requestExit(.terminate)])
    asking.exitUnlessEnding()
    expectNoDifference(asking.handle(.exitAnswered(isCancelled: false, at: .now)), [])
    var ending = ProcessSignalEngine.State(machine: JobControlMachine(terminal: .foreground))
    expectNoDifference(ending.handle(.signal(.terminate, at: .now)).first, .startGrace(of: .end))
    ending.exitUnlessEnding()
    expectNoDifference(ending.handle(.signal(.terminate, at: .now)), [])
  }

  @Test(
    "A bus that is connected between a signal and its announcement receives the event once",
    arguments: [
      (.stop, [.didFinishLaunching]), (.terminate, [.didBecomeActive, .willTerminate]),
      (.hangUp, [.didBecomeActive, .reloadRequest]),
    ] as [(JobControlSignal, [LifecycleEvent.Kind])]
  )
  func joinedLate(_ signal: JobControlSignal, _ expected: [LifecycleEvent.Kind]) async throws {
    let bus = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus)
    let kinds = Collector<LifecycleEvent.Kind>()
    let observer = bus.addObserver { if $0.origin != .synthesized { kinds($0.kind) } }
    var state = ProcessSignalEngine.State(
      machine: with(JobControlMachine(terminal: .foreground)) { $0.reloads = .hangUp }
    )
    let actions =
      state.handle(.signal(signal, at: .now)) + state.handle(.armed(isCancelled: false))
    let terminal = state.add(connection)
    for case .announce(let kind, let signal, let moment, let isAwaited) in actions {
      let (announcement, connections) = state.announce(
        kind,
        signal: signal,
        at: moment,
        isAwaited: isAwaited
      )
      for connection in connections { connection.begin(announcement) }
    }
    connection.report(terminal)
    #expect(await eventually { kinds.values == expected })
    expectNoDifference(
      bus.diagnostics.suppressedCounts,
      signal == .stop ? [.duplicate: 1] : [:]
    )
    observer.cancel()
    token.cancel()
  }
}

@Suite("The connection of a bus to the engine")
struct SignalConnectionTests {
  @Test("A connection that fails is not waited for, and its bus receives nothing")
  func failure() throws {
    let bus = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus)
    let end = SignalAnnouncement(
      .willTerminate,
      signal: .terminate,
      moment: .now,
      timeout: .seconds(3600)
    )
    end.expect(connection)
    connection.begin(end)
    expectNoDifference(end.late.count, 1)
    connection.abandon()
    #expect(end.late.isEmpty)
    #expect(!end.isAccepted)
    expectNoDifference(bus.phase, .unknown)
    token.cancel()
  }

  @Test("A bus that has a phase is brought to the background if the process is there")
  func reportOfBackground() throws {
    let bus = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus)
    bus.send(.didBecomeActive)
    connection.report(.background)
    expectNoDifference(bus.phase, .background)
    token.cancel()
  }

  @Test(
    "A request to reload is accepted by a bus that has ended, and not by one that was released",
    arguments: [true, false]
  )
  func reload(hasEnded: Bool) throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus!)
    if hasEnded { bus!.send(.willTerminate) }
    connection.report(.foreground)
    bus = nil
    let request = SignalAnnouncement(.reloadRequest, signal: .hangUp, moment: .now, timeout: nil)
    connection.begin(request)
    expectNoDifference(request.isAccepted, hasEnded)
    token.cancel()
  }

  #if os(Linux)
    @Test("The thread takes the signals of a second connection, wherever it is in its turn")
    func secondConnection() async {
      // In a process of its own: others of this one connect its signals.
      await #expect(processExitsWith: .success) {
        for round in 1...500 {
          let buses = (NonisolatedLifecycleBus(), NonisolatedLifecycleBus())
          let first = try buses.0.connect(.processSignals(taking: .terminate))
          for _ in 0..<round % 200 { _ = SuspendingClock.now }
          let second = try buses.1.connect(.processSignals(taking: .jobControl))
          let isTaken = eventually {
            ThreadStatus.waiting(of: getpid()).map { $0.blocked & JobControlSignal.stop.bit == 0 }
              == true
          }
          try #require(isTaken, "round \(round)")
          first.cancel()
          second.cancel()
        }
      }
    }
  #endif

  @Test("On a bus with another clock, an event has that clock's instant, not the signal's")
  func manualClock() async throws {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let (connection, token) = try makeConnection(to: bus)
    let events = Collector<LifecycleEvent>()
    let scope = LifecycleScope("test")
    bus.addObserver(in: scope) { events($0) }
    connection.report(.foreground)
    clock.advance(by: .seconds(2))
    connection.begin(
      SignalAnnouncement(.didEnterBackground, signal: nil, moment: .now, timeout: .seconds(3600))
    )
    #expect(await eventually { events.values.last?.kind == .didEnterBackground })
    expectNoDifference(events.values.last?.instant, clock.now)
    scope.end()
    token.cancel()
  }
}

@Suite("Exit requests of a signal")
struct SignalExitRequestTests {
  @Test("A cancellation by one bus is known before another bus has answered")
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
    let exitRequest = SignalExitRequest(.terminate, [first, second], timeout: .seconds(3600))
    #expect(!exitRequest.isCancelledSoFar)
    exitRequest.send()
    #expect(await eventually { exitRequest.isCancelledSoFar })
    expectNoDifference(exitRequest.answer, nil)
    gate.open()
    #expect(await eventually { exitRequest.answer == true })
    scope.end()
    firstToken.cancel()
    secondToken.cancel()
  }
}

@Suite("Signals that no bus has accepted")
struct UnacceptedSignalsTests {
  private let reload = SignalAnnouncement(
    .reloadRequest,
    signal: .hangUp,
    moment: .now,
    timeout: nil
  )

  private func makeState() -> ProcessSignalEngine.State {
    var machine = JobControlMachine(terminal: .foreground)
    machine.termination = .observe
    return ProcessSignalEngine.State(machine: machine)
  }

  @Test("A signal for another party is kept until a bus accepts the end")
  func acceptedLater() throws {
    var state = makeState()
    let (end, _) = state.announce(
      .willTerminate,
      signal: .terminate,
      at: .now,
      isAwaited: false
    )
    var signals = UnacceptedSignals()
    signals.check(.terminate, end, state)
    expectNoDifference(signals.signals { _ in true }, [.terminate])
    end.noteAccepted()
    expectNoDifference(signals.signals { _ in true }, [])
  }

  @Test("A request to reload that no bus accepts is sent to a handler, never to the default action")
  func reloadByDefault() {
    var signals = UnacceptedSignals()
    signals.check(.hangUp, reload, makeState())
    expectNoDifference(signals.signals { $0 == .hangUp }, [])
    expectNoDifference(signals.signals { $0 != .hangUp }, [.hangUp])
  }

  @Test("A request to reload is kept until a bus accepts it, or a later one")
  func reloads() {
    var signals = UnacceptedSignals()
    signals.check(.hangUp, reload, makeState())
    expectNoDifference(signals.signals { _ in false }, [.hangUp])
    let later = SignalAnnouncement(.reloadRequest, signal: .hangUp, moment: .now, timeout: nil)
    later.noteAccepted()
    signals.check(.hangUp, later, makeState())
    expectNoDifference(signals.signals { _ in false }, [])
    signals.check(.hangUp, reload, makeState())
    expectNoDifference(signals.signals { _ in false }, [.hangUp])
    reload.noteAccepted()
    expectNoDifference(signals.signals { _ in false }, [])
  }
}

/// Makes a connection that feeds the bus, without an engine. The second value disconnects it.
func makeConnection(
  to bus: NonisolatedLifecycleBus
) throws -> (SignalConnection, LifecycleCancellable) {
  let source = TestSource("test")
  let token = try bus.connect(source)
  return (SignalConnection(source: .processSignals(), feed: source.feed), token)
}

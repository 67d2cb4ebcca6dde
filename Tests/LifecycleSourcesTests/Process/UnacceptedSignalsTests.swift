import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("Signals that no bus has accepted")
struct UnacceptedSignalsTests {
  private let end = SignalAnnouncement(.termination, signal: .terminate, moment: .now, timeout: nil)
  private let reload = SignalAnnouncement(.reload, signal: .hangUp, moment: .now, timeout: nil)

  private func makeState() -> ProcessSignalEngine.State {
    var state = ProcessSignalEngine.State(machine: JobControlMachine(terminal: .foreground))
    state.machine.termination = .observe
    return state
  }

  @Test("The end is kept until a bus accepts it")
  func acceptedLater() {
    var state = makeState()
    state.end = end
    var signals = UnacceptedSignals()
    signals.check(.terminate, end, state)
    expectNoDifference(signals.signals { _ in true }, [.terminate])
    end.noteAccepted()
    expectNoDifference(signals.signals { _ in true }, [])
  }

  @Test("After an accepted end, a signal is kept only if no connection is left")
  func signalAfterTheEnd() throws {
    var state = makeState()
    state.end = end
    end.noteAccepted()
    let bus = NonisolatedLifecycleBus()
    let (connection, token) = try makeConnection(to: bus)
    state.connections = [connection]
    var signals = UnacceptedSignals()
    signals.check(.interrupt, nil, state)
    expectNoDifference(signals.signals { _ in true }, [])
    state.connections = []
    signals.check(.interrupt, nil, state)
    expectNoDifference(signals.signals { _ in true }, [.interrupt])
    token.cancel()
  }

  @Test("If the process ends itself, no signal is kept")
  func endOfTheProcessItself() {
    var state = makeState()
    state.machine.termination = .reraise
    var signals = UnacceptedSignals()
    signals.check(.terminate, end, state)
    expectNoDifference(signals.signals { _ in true }, [])
  }

  @Test("A request to reload is for a handler, not for the default action, which ends the process")
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
    let later = SignalAnnouncement(.reload, signal: .hangUp, moment: .now, timeout: nil)
    later.noteAccepted()
    signals.check(.hangUp, later, makeState())
    expectNoDifference(signals.signals { _ in false }, [])
    signals.check(.hangUp, reload, makeState())
    expectNoDifference(signals.signals { _ in false }, [.hangUp])
    reload.noteAccepted()
    expectNoDifference(signals.signals { _ in false }, [])
  }
}

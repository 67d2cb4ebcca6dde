package import LifecycleFlightRecording
import LifecycleSupport

/// What happened in a script: its transcript, and the recordings of its processes.
package final class ScriptAccount: Sendable {
  let log = TranscriptLog()
  private let readings = Locked<[@Sendable () -> FlightRecording]>([])

  package var transcript: LifecycleTranscript { log.transcript }

  /// The recordings of the processes that were launched, in order.
  package var recordings: [FlightRecording] { readings.withLock { $0 }.map { $0() } }

  /// Adds the recorder of a process that was launched.
  func add(_ recorder: FlightRecorder) {
    let reading = recorder.reading
    let isFirst = readings.withLock { readings in
      readings.append(reading)
      return readings.count == 1
    }
    if isFirst { ScriptAccounts.current?.add(self) }
  }
}

/// The accounts of the scripts that a test launches, also of those that it has released.
package final class ScriptAccounts: Sendable {
  /// The accounts of the running test; nil if nothing will ask for them.
  @TaskLocal package static var current: ScriptAccounts?

  /// A test that creates one script after another fails in one of the last, as a rule.
  private static let limit = 10

  private struct State {
    /// Kept whatever the number of scripts.
    var application: ScriptAccount?
    var launched: [ScriptAccount] = []
  }

  private let state = Locked(State())

  package init() {}

  /// The account of the application, if it was launched, and those of the latest 10 other scripts.
  package var all: [ScriptAccount] { state.withLock { $0.launched } }

  /// - Parameter application: The account of the test's application.
  package func setApplication(_ application: ScriptAccount) {
    state.withLock { $0.application = application }
  }

  func add(_ account: ScriptAccount) {
    state.discard { state in
      guard account !== state.application else {
        state.launched.insert(account, at: 0)
        return nil as ScriptAccount?
      }
      state.launched.append(account)
      let first = state.launched.first === state.application ? 1 : 0
      let isFull = state.launched.count - first > Self.limit
      return isFull ? state.launched.remove(at: first) : nil
    }
  }
}

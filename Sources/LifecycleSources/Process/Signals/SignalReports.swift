import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// The reports of the engine about parties that are late.
struct SignalReports {
  /// The time for which a report may delay the stop or the end, in slices.
  private static let time = 2

  private let queue = DispatchQueue(label: "lifecycle.process-signals.reports")

  /// Passes the late observers to the closures of their sources.
  func reportOverrun(_ engine: ProcessSignalEngine) {
    guard let awaited = engine.state.withLock({ $0.awaited }) else { return }
    let overruns = awaited.late.map { connection in
      let overrun = ProcessSignalSource.Overrun(
        kind: awaited.eventKind,
        deadline: awaited.timeout,
        observer: connection.input.runningObserver
      )
      return (overrun, connection.source.onOverrun)
    }
    report {
      for (overrun, report) in overruns { report(overrun) }
    }
  }

  /// Reports another party that the process does not wait for, at the line of the first source.
  func reportRivalParty(of signal: JobControlSignal, _ engine: ProcessSignalEngine) {
    let (isHurried, connections) = engine.state.withLock { state in
      (state.hurriedDeadline != nil, state.connections.unsharedForSanitizer)
    }
    // The parties that have a task are waited for. A second signal ends the process at once.
    guard !isHurried, !ProcessTasks.hasDelayedEnd,
      let source = connections.map(\.source).first(where: { $0.taken.includes(signal) }),
      RivalParty.observes(signal)
    else { return }
    report { source.reportRivalParty(of: signal) }
  }

  /// Calls a closure that reports, and waits for it.
  ///
  /// The closure gets a moment, because the process may be about to end, but no more, because the
  /// process must not hang.
  private func report(_ body: @escaping @Sendable () -> Void) {
    queue.perform(within: Self.time, body)
  }
}

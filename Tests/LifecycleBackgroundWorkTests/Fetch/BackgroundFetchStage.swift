import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// A coordinator on a manual clock, whose handlers answer when a test says so.
final class BackgroundFetchStage: Sendable {
  let clock = ManualClock()
  let bus: any LifecycleBusProtocol
  let trace = Trace()
  let scope = LifecycleScope("stage")
  private let box = Locked<BackgroundFetchCoordinator?>(nil)
  private let completions = Locked<[String: [BackgroundFetchCompletion]]>([:])

  init(_ kind: BusKind = .mainActor) {
    bus = kind.make(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    box.withLock { $0 = fetches }
  }

  var fetches: BackgroundFetchCoordinator { box.withLock { $0! } }

  func releaseCoordinator() {
    let old = box.withLock { $0.take() }
    withExtendedLifetime(old) {}
  }

  /// Adds a handler whose completions the stage keeps.
  @discardableResult
  func add(_ name: String, in scope: LifecycleScope? = nil) -> LifecycleCancellable {
    fetches.addHandler(named: name, in: scope ?? self.scope) { [self] completion in
      trace("\(name) runs")
      completion.onCancel { [trace] in trace("\(name) cancelled") }
      completions.withLock { $0[name, default: []].append(completion) }
    }
  }

  /// Begins a fetch, and runs what is ready to.
  @discardableResult
  func begin(deadline: Duration = .seconds(30)) -> BackgroundFetchRun {
    let core = fetches.core
    let run = core.makeRun()
    run.whenConcluded { [trace] in trace("told \($0.line)") }
    core.begin(run, deadline: deadline)
    clock.advance(by: .zero)
    return run
  }

  /// The completion that a handler got for its fetch of that position.
  func completion(_ name: String, _ position: Int = 0) -> BackgroundFetchCompletion {
    completions.withLock { $0[name]![position] }
  }

  func answer(_ name: String, _ outcome: BackgroundFetchReport.Handler.Outcome, _ position: Int = 0)
  {
    completion(name, position)(outcome)
  }

  func dropCompletions() {
    let old = completions.withLock { completions in
      defer { completions = [:] }
      return completions
    }
    withExtendedLifetime(old) {}
  }
}

extension BackgroundFetchReport {
  /// The report as traces show it: `1 newData 3.0 s: inbox newData 1.0 s, news failed (…) 3.0 s`.
  var line: String {
    let parts = handlers.map { "\($0.name) \($0.outcome.line) \($0.duration.text)" }
    return "\(number) \(result.rawValue) \(duration.text): \(parts.joined(separator: ", "))"
  }
}

extension BackgroundFetchReport.Handler.Outcome {
  var line: String {
    if case .failed(let error) = self { "failed (\(error))" } else { result.rawValue }
  }
}

struct FetchTrouble: Error, CustomStringConvertible {
  let description = "trouble"
}

import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCountdowns
import LifecycleFlightRecording
import ReactiveLifecycle
import Synchronization

/// The buses of an epoch, and what several threads do to them at once.
final class World: Sendable {
  /// Three that deliver on the sending thread, and one that delivers on the main actor.
  let buses: [ObservedBus]
  let host: CountingHost
  let coordinators: [BackgroundTaskCoordinator]
  let fetches: [BackgroundFetchCoordinator]
  let recorders: [FlightRecorder]
  let files: EpochFiles
  let faults: Faults
  let census: Census
  /// The tasks that wait for something of a bus, which end with it at the latest.
  let openTasks = Census()
  /// What the threads leave behind lives until the buses have ended.
  let scope = LifecycleScope("world")
  private let mainBus = LifecycleBus()
  private static let recorderCapacity = 500
  private let state = Mutex(State())

  private struct State {
    var tasks: [Task<Void, Never>] = []
    var checks: [ObserverCheck] = []
    var operatorChecks: [OperatorCheck] = []
    var kept: [any Sendable] = []
  }

  init(_ faults: Faults, _ census: Census) throws {
    self.faults = faults
    self.census = census
    let nonisolated = (1...3).map { _ in NonisolatedLifecycleBus() }
    buses = nonisolated.map { ObservedBus($0) } + [ObservedBus(mainBus)]
    let host = CountingHost(faults)
    self.host = host
    coordinators = nonisolated.map { BackgroundTaskCoordinator(host: host, recordedOn: $0) }
    fetches = nonisolated.map { BackgroundFetchCoordinator(of: $0) }
    recorders = nonisolated.map { FlightRecorder(of: $0, capacity: Self.recorderCapacity) }
    files = try EpochFiles(journalOf: nonisolated[1], recorder: recorders[0], faults)
    for observed in buses { keep(observe(observed)) }
  }

  /// The bus that a thread may end while the others use it.
  var endingBus: ObservedBus { buses[2] }

  /// Adds the observer of a bus that receives all of its events.
  private func observe(_ observed: ObservedBus) -> LifecycleSubscription {
    let check = check("first observer", of: observed)
    return check.registering { observed.bus.addObserver { check.receive($0) } }
  }

  func check(_ form: String, of observed: ObservedBus) -> ObserverCheck {
    let check = ObserverCheck(form, of: observed, faults, census)
    state.withLock { $0.checks.append(check) }
    return check
  }

  func operatorCheck(of observed: ObservedBus) -> OperatorCheck {
    let check = OperatorCheck(of: observed, faults, census)
    state.withLock { $0.operatorChecks.append(check) }
    return check
  }

  /// Keeps an object until the buses have ended.
  func keep(_ object: any Sendable) {
    state.withLock { $0.kept.append(object) }
  }

  func run(_ body: @escaping @Sendable () async -> Void) {
    openTasks.add(1)
    let task = Task { [openTasks] in
      await body()
      openTasks.add(-1)
    }
    state.withLock { $0.tasks.append(task) }
  }

  /// Ends the buses, waits for all that waits for them, and checks what came last (G8).
  func end() async throws {
    for observed in buses.dropLast() { observed.bus.send(.willTerminate) }
    let outcome = await MainActor.run { mainBus.send(.willTerminate) }
    faults.check(outcome == .delivered, "the end on the main actor is \(outcome)")
    for task in state.withLock({ $0.tasks }) { await task.value }
    // The thread of a timer may still be delivering.
    for observed in buses {
      while !observed.hasEnded || !observed.bus.liveSubscriptions.isEmpty {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    for (observed, recorder) in zip(buses, recorders) { check(recorder.recording, of: observed) }
    let (checks, operatorChecks) = state.withLock { ($0.checks, $0.operatorChecks) }
    for check in checks { check.checkEnd() }
    for check in operatorChecks { check.checkEnd() }
    faults.check(host.openTasks == 0, "\(host.openTasks) tasks were not ended at the host")
    try files.checkEnd(of: recorders[0])
    scope.end()
  }

  /// What an epoch that does not end waits for.
  var whatIsOpen: String {
    let buses = buses.map { "\($0.bus.phase) with \($0.bus.liveSubscriptions)" }
    return "\(openTasks.living) tasks are open; the buses are \(buses.joined(separator: ", "))."
  }

  /// Checks that the recorded events have no gap, and end with what the observers received last.
  private func check(_ recording: FlightRecording, of observed: ObservedBus) {
    var last: LifecycleEvent?
    for case .event(let event) in recording.records.map(\.content) {
      if let last {
        faults.check(
          event.sequenceNumber == last.sequenceNumber + 1,
          "recorded event \(event.sequenceNumber) after \(last.sequenceNumber)"
        )
      }
      last = event
    }
    guard let last else {
      // A recorder of a bus that has ended records tasks and notes, which can displace the events.
      return faults.check(
        recording.records.count == Self.recorderCapacity,
        "no event among \(recording.records.count) records"
      )
    }
    faults.check(
      last.kind == .willTerminate && last.sequenceNumber == observed.latestNumber,
      "the last recorded event is \(last), not number \(observed.latestNumber)"
    )
  }
}

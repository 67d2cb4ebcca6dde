import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleFlightRecording
import ReactiveLifecycle
import Synchronization

/// The buses of an epoch, and the objects that several threads make with them.
final class World: Sendable {
  /// Three that deliver on the sending thread, one that delivers on the main actor, and one of each
  /// kind that another one feeds.
  let buses: [ObservedBus]
  let mainBus: LifecycleBus
  let host: CountingHost
  let coordinators: [BackgroundTaskCoordinator]
  let deferredWork: DeferredWorkQueue
  let fetches: [BackgroundFetchCoordinator]
  let recorders: [FlightRecorder]
  let files: EpochFiles
  let replacements: [(scope: ReplacementCheck, owner: ReplacementCheck)]
  let replacementOwner = ReplacementOwner()
  let faults: Faults
  let issues: IssueCheck
  let census: SharedCount
  /// The tasks that wait for something of a bus, which end with it at the latest.
  let openTasks = SharedCount()
  /// Holds the objects that live until the buses have ended.
  let scope = LifecycleScope("world")
  let replacementScope = LifecycleScope(ReplacementCheck.scopeName)
  static let recorderCapacity = 500
  let state = Mutex(State())
  private let canary: Canary

  struct State {
    var tasks: [Task<Void, Never>] = []
    var checks: [ObserverCheck] = []
    var operatorChecks: [OperatorCheck] = []
    var slowSubscribers: [SlowSubscriber<LifecycleEvent>] = []
    var slowPhases: [SlowSubscriber<LifecyclePhase>] = []
    var stayChecks: [StayStreamCheck] = []
    var scopes: [LifecycleScope] = []
    var scopeChecks: [ScopeCheck] = []
    var shortLived: [ShortLivedBus] = []
    var shared: [SharedObserver] = []
    var kept: [any Sendable] = []
  }

  final class ReplacementOwner: Sendable {}

  /// - Parameter folder: The folder for the files.
  init(in folder: String, _ faults: Faults, _ issues: IssueCheck, _ census: SharedCount) throws {
    self.faults = faults
    self.issues = issues
    self.census = census
    canary = Canary(census)
    let nonisolated = (1...3).map { _ in NonisolatedLifecycleBus() }
    mainBus = LifecycleBus()
    buses =
      nonisolated.enumerated().map { ObservedBus($1, name: "\($0)", faults) }
      + [
        ObservedBus(mainBus, name: "main", faults),
        ObservedBus(NonisolatedLifecycleBus(), name: "fed", isFed: true, faults),
        ObservedBus(LifecycleBus(), name: "main, fed", isFed: true, faults),
      ]
    replacements = buses.map {
      (ReplacementCheck(of: $0, faults), ReplacementCheck(of: $0, faults))
    }
    let host = CountingHost(faults)
    self.host = host
    coordinators = nonisolated.map { BackgroundTaskCoordinator(host: host, recordedOn: $0) }
    deferredWork = DeferredWorkQueue(of: nonisolated[0], tasks: coordinators[0])
    fetches = nonisolated.map { BackgroundFetchCoordinator(of: $0) }
    recorders = nonisolated.map { FlightRecorder(of: $0, capacity: Self.recorderCapacity) }
    files = try EpochFiles(
      in: folder,
      journalOf: nonisolated[1],
      recorder: recorders[0],
      faults
    )
  }

  /// Adds the first observers, and connects the buses that feed others.
  func start(seed: UInt64) throws {
    for (number, observed) in buses.enumerated() {
      let suppressed = observed.inputs.observeSuppressedInputs(of: observed.bus, observed.delivery)
      suppressed.store(in: scope)
      keep(observe(observed))
      observed.delivery.begin()
      keep(ActingObserver(of: observed, seed: seed &+ UInt64(number), self).register())
    }
    // The main actor's is fed by one that delivers elsewhere.
    for (parent, child) in [(buses[0], buses[4]), (buses[1], buses[5])] {
      keep(try child.connect(to: parent))
    }
  }

  /// The bus that a thread may end while the others use it.
  var endingBus: ObservedBus { buses[2] }

  /// Adds the observer of a bus that receives all of its events.
  private func observe(_ observed: ObservedBus) -> LifecycleSubscription {
    let check = check(.first, of: observed)
    return check.registering {
      observed.addObserver { event in
        check.receive(event)
        observed.inputs.receive(event)
      }
    }
  }

  // MARK: Objects that the threads make

  func check(
    _ form: ObserverCheck.Form,
    of observed: ObservedBus,
    catchUp: LifecycleCatchUp = .nothing,
    inDeliveryOf number: Int? = nil
  ) -> ObserverCheck {
    let check = ObserverCheck(form, of: observed, catchUp: catchUp, inDeliveryOf: number, faults)
    state.withLock { $0.checks.append(check) }
    return check
  }

  /// Returns an object for the closure of an observer.
  func canary(of observed: ObservedBus) -> Canary {
    let canary = Canary(census) { _ = observed.bus.diagnostics }
    if faults.makes(.closure) { keep(canary) }
    return canary
  }

  func operatorCheck(
    _ guarantee: Guarantee = .features,
    of observed: ObservedBus
  ) -> OperatorCheck {
    let check = OperatorCheck(guarantee, of: observed, faults, census)
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

  // MARK: Observers that several threads know

  private static let sharedLimit = 60

  /// Lets all threads cancel an observer. A few observers are shared at a time.
  func share(_ observer: SharedObserver) {
    let displaced = state.withLock { state in
      state.shared.append(observer)
      return state.shared.count > Self.sharedLimit ? state.shared.removeFirst() : nil
    }
    displaced?.cancel(faults)
  }

  /// Returns an observer that other threads may be cancelling just now.
  func sharedObserver(using random: inout SeededGenerator) -> SharedObserver? {
    let position = random.next()
    return state.withLock { state in
      guard !state.shared.isEmpty else { return nil }
      let index = Int(position % UInt64(state.shared.count))
      return position % 3 == 0 ? state.shared[index] : state.shared.remove(at: index)
    }
  }
}

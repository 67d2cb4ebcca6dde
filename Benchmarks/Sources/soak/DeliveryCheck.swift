import Dispatch
import Foundation
import LifecycleCore
import Synchronization

/// The check of the calls of all observers of a bus together.
///
/// They receive the same events (G3), in order of registration or in reverse (G4), one call at a
/// time, at the right place (G7), and nothing more of an event at which a scope has ended (G9). The
/// contents of each event are checked once (G1, G11), and so is the release of closures (G6).
///
/// The bus makes one call at a time; the lock protects the check in case that it does not.
final class DeliveryCheck: Sendable {
  private struct State {
    /// The event that an observer received last.
    var current: LifecycleEvent?
    /// The tests' model. An event is the only one that comes of it as an input.
    var oracle = PhaseOracle()
    /// The tick of the last call.
    var lastCall = 0
    /// Observers that were registered before this tick were registered when the delivery began.
    var deliveryBegin = 0
    /// Among the observers that have received the current event: the latest beginning, and the
    /// earliest end of a registration.
    var latestBegin = 0
    var earliestEnd = Int.max
    /// The event at which a scope has ended.
    var closed = 0
    var releases: [Release] = []
  }

  private struct Release {
    weak var object: Canary?
    /// The last event that may be in delivery before the release.
    var number: Int
  }

  private let place: DeliveryPlace
  private let faults: Faults
  private let state = Mutex(State())
  private let ticks = Atomic(0)
  private let runningThread = Atomic<UInt>(0)
  private let latest = Atomic(0)

  init(_ place: DeliveryPlace, _ faults: Faults) {
    self.place = place
    self.faults = faults
  }

  /// The number of the event that an observer has received last.
  ///
  /// As one observer receives them all, the event in delivery is this one or the next.
  var latestNumber: Int { latest.load(ordering: .acquiring) }

  var current: LifecycleEvent? { state.withLock { $0.current } }

  func tick() -> Int { ticks.add(1, ordering: .sequentiallyConsistent).newValue }

  /// Call it after the registration of the observer that receives all events, before any event.
  func begin() {
    let now = tick()
    state.withLock { $0.lastCall = now }
  }

  // MARK: Calls

  /// Performs the call of an observer, or of a subscriber of a stream of the bus.
  func during<Result>(_ body: () -> Result) -> Result {
    let thread = UInt(pthread_self())
    let other = runningThread.exchange(thread, ordering: .acquiringAndReleasing)
    faults.check(
      .whereObserversRun,
      other == 0,
      "an observer is called on thread \(thread) while another runs on thread \(other)"
    )
    faults.check(
      .whereObserversRun,
      place.isHere,
      "an observer of the main actor is called elsewhere"
    )
    defer { runningThread.store(0, ordering: .releasing) }
    return body()
  }

  /// Checks an event against the calls of the other observers. Call it inside of `during`.
  ///
  /// An observer is compared with the others only if its registration had ended when the delivery
  /// of the event began: before that, an event may wait for a new subscriber.
  func receive(_ event: LifecycleEvent, by registration: Registration) {
    let now = tick()
    state.withLock { state in
      let current = state.current?.sequenceNumber ?? 0
      if event.sequenceNumber > current { advance(to: event, &state) }
      defer { state.lastCall = now }
      guard registration.end < state.deliveryBegin else { return }
      faults.check(
        .oneOrder,
        state.current == event,
        "received \(event) in the delivery of \(state.current as Any)"
      )
      faults.check(
        .scopes,
        event.sequenceNumber != state.closed,
        "received \(event) after the end of a scope that ends at it"
      )
      checkOrder(of: registration, event, &state)
    }
  }

  private func advance(to event: LifecycleEvent, _ state: inout State) {
    let number = event.sequenceNumber
    let previous = state.current
    faults.check(
      .oneOrder,
      number == (previous?.sequenceNumber ?? 0) + 1,
      "received \(event) after \(previous as Any)"
    )
    let expected =
      (try? state.oracle.accept(event.kind, at: event.instant, origin: event.origin).get()) ?? []
    faults.check(
      .legalPaths,
      expected.count == 1 && expected[0].previousPhase == event.previousPhase
        && expected[0].phase == event.phase,
      "\(event) from \(event.previousPhase) after \(previous as Any)"
    )
    let (stay, expectedStay) = (event.backgroundStay, expected.last?.backgroundStay)
    faults.check(.time, stay == expectedStay, "\(text(of: stay)), not \(text(of: expectedStay))")
    for release in state.releases where release.number < number {
      faults.check(
        .leaving,
        release.object == nil,
        "what a closure captured before event \(release.number) is alive at event \(number)"
      )
    }
    state.releases.removeAll { $0.number < number }
    state.current = event
    state.deliveryBegin = state.lastCall
    state.latestBegin = 0
    state.earliestEnd = .max
    latest.store(number, ordering: .releasing)
  }

  private func text(of stay: BackgroundStay?) -> String {
    stay.map { "away \($0.timeAway)" } ?? "no stay"
  }

  /// Checks the order by pairs of registrations of which one had ended before the other one began.
  private func checkOrder(
    of registration: Registration,
    _ event: LifecycleEvent,
    _ state: inout State
  ) {
    if event.phase < event.previousPhase {
      faults.check(
        .orderInsideAnEvent,
        registration.begin < state.earliestEnd,
        "\(event) on the way down: after an observer that was registered earlier"
      )
      state.earliestEnd = min(state.earliestEnd, registration.end)
    } else {
      faults.check(
        .orderInsideAnEvent,
        registration.end > state.latestBegin,
        "\(event): after an observer that was registered later"
      )
      state.latestBegin = max(state.latestBegin, registration.begin)
    }
  }

  // MARK: Ends

  /// Checks that an object is released before the delivery of an event after this number.
  func expectRelease(of object: Canary?, after number: Int) {
    guard let object else { return }
    state.withLock { $0.releases.append(Release(object: object, number: number)) }
  }

  /// Checks that a scope that ends at an event of some kinds ends there.
  func scopeDidEnd(at kinds: Set<LifecycleEvent.Kind>) {
    state.withLock { state in
      faults.check(
        .scopes,
        state.current.map { kinds.contains($0.kind) } == true,
        "a scope that ends at \(kinds) has ended at \(state.current as Any)"
      )
      state.closed = state.current?.sequenceNumber ?? 0
    }
  }
}

/// The span of time in which an observer was registered, in ticks of the bus's `DeliveryCheck`.
struct Registration {
  var begin = 0
  /// `Int.max` until the observer is registered.
  var end = Int.max
}

/// The place where a bus delivers.
enum DeliveryPlace {
  case mainActor
  case sendingThread

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// A Boolean value that indicates whether the caller is there.
  ///
  /// After the first `await` of the program, another thread may serve the main queue.
  var isHere: Bool {
    switch self {
    case .mainActor: DispatchQueue.getSpecific(key: Self.key) == true || Thread.isMainThread
    case .sendingThread: true
    }
  }
}

extension PhaseOracle {
  /// Returns a Boolean value that indicates whether the event is an edge of the diagram, or none.
  static func allows(_ event: LifecycleEvent) -> Bool {
    transitions.contains(event.kind)
      ? edges.contains { $0 == (from: event.previousPhase, kind: event.kind, to: event.phase) }
      : event.previousPhase == event.phase
  }
}

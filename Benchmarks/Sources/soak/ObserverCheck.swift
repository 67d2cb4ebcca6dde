import Foundation
import ReactiveLifecycle
import Synchronization

/// What an observer of all kinds must see: each event from its registration to the end or to its
/// cancellation, once, in order, one at a time, on a legal path (G1, G3, G5, G6, G8).
final class ObserverCheck: Sendable {
  private struct State {
    var first: Int?
    var last: LifecycleEvent?
    /// The highest number that the first event can have.
    var firstLimit = Int.max
    /// Whether `willTerminate` must come; nil if it was in delivery at the registration.
    var expectsEnd: Bool?
    var cancellation: Cancellation?
    var lateCalls = 0
  }

  private struct Cancellation {
    var thread: pthread_t
    /// The highest number that can have been in delivery.
    var inDelivery: Int
  }

  private let state = Mutex(State())
  private let isRunning = Atomic(false)
  private let observed: ObservedBus
  private let numberBefore: Int
  private let faults: Faults
  private let canary: Canary
  private let form: String

  init(_ form: String, of observed: ObservedBus, _ faults: Faults, _ census: Census) {
    self.form = form
    self.observed = observed
    self.faults = faults
    numberBefore = observed.latestNumber
    canary = Canary(census)
  }

  /// Performs the registration of the observer.
  func registering<Result>(_ register: () -> Result) -> Result {
    let hadEnded = observed.hasEnded
    let result = register()
    let hasEnded = observed.hasEnded
    state.withLock { state in
      state.expectsEnd = hadEnded ? false : hasEnded ? nil : true
      // The event in delivery is the next one at most, and the one after that is the first.
      state.firstLimit = observed.latestNumber + 2
    }
    return result
  }

  func receive(_ event: LifecycleEvent) {
    let isSecond = isRunning.exchange(true, ordering: .acquiringAndReleasing)
    faults.check(!isSecond, "\(form): called while it runs")
    defer { isRunning.store(false, ordering: .releasing) }
    // Another thread that would call it has the opportunity. On a busy machine it takes long.
    if (event.sequenceNumber + numberBefore) % 256 == 0 { sched_yield() }
    observed.didReceive(event)
    state.withLock { check(event, &$0) }
  }

  private func check(_ event: LifecycleEvent, _ state: inout State) {
    let number = event.sequenceNumber
    if let cancellation = state.cancellation {
      state.lateCalls += 1
      faults.check(state.lateCalls == 1, "\(form): called again after it was cancelled")
      faults.check(
        pthread_equal(cancellation.thread, pthread_self()) == 0,
        "\(form): called on the thread that had cancelled it"
      )
      faults.check(
        number <= cancellation.inDelivery,
        "\(form): event \(number), after it was cancelled at \(cancellation.inDelivery)"
      )
    }
    if let last = state.last {
      faults.check(
        number == last.sequenceNumber + 1,
        "\(form): event \(number) after \(last.sequenceNumber)"
      )
      faults.check(
        event.previousPhase == last.phase,
        "\(form): from \(event.previousPhase) after \(last.phase)"
      )
    } else {
      state.first = number
      faults.check(
        number > numberBefore,
        "\(form): event \(number), registered after \(numberBefore)"
      )
    }
    faults.check(
      LegalPath.contains(event),
      "\(form): \(event.kind) from \(event.previousPhase) to \(event.phase)"
    )
    state.last = event
  }

  /// Call it on the thread that has cancelled the observer.
  func didCancel() {
    let inDelivery = observed.latestNumber + 1
    state.withLock {
      $0.cancellation = Cancellation(thread: pthread_self(), inDelivery: inDelivery)
    }
  }

  /// Checks what came first and last. Call it when the bus has delivered everything.
  func checkEnd() {
    let state = state.withLock { $0 }
    if let first = state.first {
      faults.check(
        first <= state.firstLimit,
        "\(form): event \(first) is the first, not \(state.firstLimit)"
      )
    }
    guard state.cancellation == nil else { return }
    guard let last = state.last else {
      return faults.check(state.expectsEnd != true, "\(form): received nothing")
    }
    faults.check(state.expectsEnd != false, "\(form): added after the end, but received \(last)")
    faults.check(
      last.kind == .willTerminate && last.sequenceNumber == observed.latestNumber,
      "\(form): the last event is \(last), not number \(observed.latestNumber)"
    )
  }
}

import Foundation
import LifecycleCore
import Synchronization

/// The check of the calls of one observer of all kinds.
///
/// It receives each event from its registration to the end or to its cancellation, once and in
/// order (G3, G5, G6, G8, G10), after the past events that it asked for (G5).
final class ObserverCheck: Sendable {
  private struct State {
    var registration = Registration()
    var catchUp: [LifecycleEvent] = []
    var first: LifecycleEvent?
    var last: LifecycleEvent?
    /// The highest number that the first event can have.
    var firstLimit = Int.max
    /// A Boolean value that indicates whether `willTerminate` must come; nil if it was in delivery
    /// at the registration.
    var expectsEnd: Bool?
    var cancellation: Cancellation?
    var lateCalls = 0
    var isFinished = false
  }

  private struct Cancellation {
    var thread: pthread_t
    /// The highest number that can have been in delivery; nil if the observer can't have been
    /// running on another thread.
    var inDelivery: Int?
  }

  let form: Form
  let observed: ObservedBus
  private let state = Mutex(State())
  /// The number of an event whose delivery had begun before the registration.
  private let numberBefore: Int
  private let deliveredNumber: Int?
  private let catchUp: LifecycleCatchUp
  private let faults: Faults

  /// The form of an observer.
  enum Form: String {
    case first, closure, owner, sink, slow, sequence

    /// A Boolean value that indicates whether the observer receives each event in its turn.
    var isInTurn: Bool { self != .slow && self != .sequence }
    /// A Boolean value that indicates whether the observer receives a completion.
    var isStream: Bool { self == .sink || self == .slow }
  }

  /// - Parameter number: The number of the event in delivery, if the observer is registered in an
  ///   observer of the same bus.
  init(
    _ form: Form,
    of observed: ObservedBus,
    catchUp: LifecycleCatchUp = .nothing,
    inDeliveryOf number: Int? = nil,
    _ faults: Faults
  ) {
    self.form = form
    self.observed = observed
    self.catchUp = catchUp
    self.faults = faults
    deliveredNumber = number
    numberBefore = number ?? observed.delivery.latestNumber
  }

  // MARK: Registration

  /// Performs the registration of the observer.
  func registering<Result>(_ register: () -> Result) -> Result {
    let delivery = observed.delivery
    let begin = delivery.tick()
    let hadEnded = observed.hasEnded
    let result = register()
    let hasEnded = observed.hasEnded
    state.withLock { state in
      state.expectsEnd = hadEnded ? false : hasEnded ? nil : true
      // The event in delivery is the next one at most, and the one after that is the first.
      state.firstLimit = (deliveredNumber ?? delivery.latestNumber + 1) + 1
      state.registration = Registration(begin: begin, end: delivery.tick())
      if faults.makes(.order), form == .first {
        state.registration = Registration(begin: Int.max - 1, end: 0)
      }
    }
    return result
  }

  // MARK: Events

  /// - Parameter act: Called at the end of the observer's call.
  func receive(_ received: LifecycleEvent, _ act: () -> Void = {}) {
    if form == .first { faults.disturb(observed.delivery) }
    guard let event = faults.altered(received) else { return }
    guard form != .sequence else { return check(event) }
    observed.delivery.during {
      // Another thread that would call it has the opportunity. On a busy machine it takes long.
      if (event.sequenceNumber + numberBefore) % 256 == 0 { sched_yield() }
      check(event)
      guard event.origin != .catchUp, form.isInTurn else { return }
      observed.delivery.receive(event, by: state.withLock { $0.registration })
      act()
    }
  }

  private func check(_ event: LifecycleEvent) {
    state.withLock { state in
      checkCancellation(event, &state)
      guard event.origin != .catchUp else { return checkCatchUp(event, &state) }
      let number = event.sequenceNumber
      if let last = state.last ?? state.catchUp.last {
        faults.check(
          state.last == nil ? .joining : form.isInTurn ? .oneOrder : .backPressure,
          number == last.sequenceNumber + 1 && event.previousPhase == last.phase,
          "\(form): \(event) after \(last)"
        )
      } else {
        faults.check(
          .joining,
          number > numberBefore,
          "\(form): \(event), registered after event \(numberBefore)"
        )
      }
      faults.check(.legalPaths, PhaseOracle.allows(event), "\(form): \(event)")
      faults.check(.theEnd, !state.isFinished, "\(form): \(event) after the completion")
      if state.first == nil { state.first = event }
      state.last = event
    }
  }

  private func checkCatchUp(_ event: LifecycleEvent, _ state: inout State) {
    let last = state.catchUp.last
    faults.check(
      .joining,
      catchUp != .nothing && state.last == nil && event.backgroundStay == nil
        && PhaseOracle.allows(event) && event.previousPhase < event.phase
        && event.sequenceNumber >= numberBefore,
      "\(form): caught up with \(event) after \(state.last as Any)"
    )
    if let last {
      faults.check(
        .joining,
        catchUp == .path && last.phase == event.previousPhase
          && last.sequenceNumber == event.sequenceNumber && last.instant == event.instant,
        "\(form): caught up with \(event) after \(last)"
      )
    } else {
      faults.check(
        .joining,
        catchUp == .currentPhase || event.previousPhase == .unknown,
        "\(form): caught up with \(event) first"
      )
    }
    state.catchUp.append(event)
  }

  // MARK: Cancellation

  private func checkCancellation(_ event: LifecycleEvent, _ state: inout State) {
    guard let cancellation = state.cancellation else { return }
    state.lateCalls += 1
    faults.check(.leaving, state.lateCalls == 1, "\(form): called again after it was cancelled")
    faults.check(
      .leaving,
      pthread_equal(cancellation.thread, pthread_self()) == 0,
      "\(form): called on the thread that had cancelled it"
    )
    faults.check(
      .leaving,
      cancellation.inDelivery.map { event.sequenceNumber <= $0 } ?? false,
      "\(form): \(event) after it was cancelled, at \(cancellation.inDelivery as Any)"
    )
  }

  /// Call it on the thread that has cancelled the observer.
  ///
  /// - Parameter isInDelivery: Whether this is called in an observer of the same bus.
  func didCancel(isInDelivery: Bool = false) {
    let inDelivery = observed.delivery.latestNumber + 1
    state.withLock { state in
      guard state.cancellation == nil else { return }
      state.cancellation = Cancellation(
        thread: pthread_self(),
        inDelivery: isInDelivery ? nil : inDelivery
      )
    }
  }

  // MARK: The end

  /// Checks the completion of a stream.
  func finish() {
    if faults.makes(.completion) { return }
    observed.delivery.during {
      state.withLock { state in
        faults.check(.theEnd, !state.isFinished, "\(form): a second completion")
        faults.check(
          .theEnd,
          state.last.map { $0.kind == .willTerminate } ?? (state.expectsEnd != true),
          "\(form): the completion follows \(state.last as Any)"
        )
        state.isFinished = true
      }
    }
  }

  /// Checks what came first and last. Call it when the bus has delivered everything.
  func checkEnd() {
    let state = state.withLock { $0 }
    if let first = state.first {
      faults.check(
        .joining,
        first.sequenceNumber <= state.firstLimit,
        "\(form): \(first) is the first, not number \(state.firstLimit)"
      )
    }
    guard state.cancellation == nil else { return }
    if form.isStream {
      faults.check(.theEnd, state.isFinished, "\(form): the stream has not finished")
    }
    guard let last = state.last else {
      return faults.check(.theEnd, state.expectsEnd != true, "\(form): received nothing")
    }
    faults.check(
      .theEnd,
      state.expectsEnd != false && last.kind == .willTerminate
        && last.sequenceNumber == observed.delivery.latestNumber,
      "\(form): the last event is \(last), not number \(observed.delivery.latestNumber)"
    )
  }
}

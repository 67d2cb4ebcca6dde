package import LifecycleBackgroundWork
import LifecycleCombine
package import ReactiveLifecycle

/// Reminds on arrival at a place. In the foreground the receiver is always on; in the background it
/// sees a few positions, of which the last counts, and rests.
@MainActor
package final class LocationReminder {
  package enum Update: Hashable, Sendable {
    /// The receiver has seen a position.
    case position(Track.Fix)
    /// The receiver is off for a while.
    case rest(requested: Duration, granted: Duration)
    /// The place has been reached, at this distance in meters.
    case reminder(Position, distance: Double)
  }

  /// Called with every update.
  package var onUpdate: (Update) -> Void = { _ in }
  /// The number of positions that the receiver has seen.
  package private(set) var positionCount = 0

  private let receiver: TrackReceiver
  private let cycle: DutyCycle
  private let isCoarseWhileResting: Bool
  private let bus: LifecycleBus
  private let tasks: BackgroundTaskCoordinator
  private let meter = DutyCycleMeter()
  private var arrival: ArrivalMachine?
  private var scope: LifecycleScope?

  /// - Parameters:
  ///   - receiver: The source of the positions.
  ///   - place: The place at which to remind; nil for none.
  ///   - radius: The distance from the place, in meters, that counts as an arrival.
  ///   - cycle: The receiver's duty cycle in the background.
  ///   - isCoarseWhileResting: Whether coarse positions keep the process running during a rest, in
  ///     place of a background task.
  ///   - bus: The bus whose phase determines when the receiver rests.
  ///   - tasks: The background tasks that keep the process running during a rest.
  package init(
    _ receiver: TrackReceiver,
    place: Position?,
    radius: Double,
    cycle: DutyCycle,
    isCoarseWhileResting: Bool = false,
    on bus: LifecycleBus,
    under tasks: BackgroundTaskCoordinator
  ) {
    self.receiver = receiver
    self.cycle = cycle
    self.isCoarseWhileResting = isCoarseWhileResting
    self.bus = bus
    self.tasks = tasks
    arrival = place.map { ArrivalMachine(place: $0, radius: radius) }
  }

  /// The time for which the receiver was on, which is its cost to the battery.
  package var receiverOn: Duration { meter.subscribedDuration }

  package func appear() {
    let scope = LifecycleScope("location")
    self.scope = scope
    receiver.positions
      .handleEvents(receiveOutput: { [weak self] fix in
        MainActor.assumeIsolated { self?.see(fix) }
      })
      .dutyCycle(
        cycle,
        of: bus,
        tasks: tasks,
        resting: isCoarseWhileResting ? receiver.coarsePositions : nil,
        meter: meter
      ) { [weak self] rest in
        self?.onUpdate(.rest(requested: rest.requested, granted: rest.granted))
      }
      .sink { [weak self] fix in MainActor.assumeIsolated { self?.take(fix) } }
      .store(in: scope)
  }

  package func disappear() {
    scope?.end()
    scope = nil
  }

  private func see(_ fix: Track.Fix) {
    positionCount += 1
    onUpdate(.position(fix))
  }

  private func take(_ fix: Track.Fix) {
    guard let distance = arrival?.move(to: fix.position) else { return }
    onUpdate(.reminder(fix.position, distance: distance))
  }
}

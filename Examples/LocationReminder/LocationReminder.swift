import LifecycleBackgroundWork
import LifecycleCombine
import ReactiveLifecycle

/// Reminds on arrival at a place. In the foreground the receiver is always on; in the background it
/// sees a few locations, of which the last counts, and rests.
@MainActor
final class LocationReminder<Location> {
  enum Update {
    /// The receiver has seen a location.
    case location(Location)
    /// The receiver is off for a while.
    case rest(DutyCycle.Rest)
    /// The place has been reached, at this distance in meters.
    case arrival(Location, distance: Double)
  }

  /// The closure that is called with every update.
  var onUpdate: (Update) -> Void = { _ in }
  /// The number of locations that the receiver has seen.
  private(set) var locationCount = 0

  private let locations: AnyPublisher<Location, Never>
  private let coarse: (any Publisher)?
  private let distance: (Location) -> Double?
  private let cycle: DutyCycle
  private let bus: LifecycleBus
  private let tasks: BackgroundTaskCoordinator
  private let meter = DutyCycleMeter()
  private var arrival: ArrivalMachine
  private var scope: LifecycleScope?

  /// - Parameters:
  ///   - locations: The locations of a receiver that is on for as long as it has a subscriber.
  ///   - coarse: Coarse locations that keep the process running during a rest, in place of a
  ///     background task; nil for none.
  ///   - distance: Returns the distance from the place in meters, or nil if there is no place.
  ///   - radius: The distance from the place, in meters, that counts as an arrival.
  ///   - cycle: The receiver's duty cycle in the background.
  ///   - bus: The bus whose phase determines when the receiver rests.
  ///   - tasks: The background tasks that keep the process running during a rest.
  init(
    _ locations: AnyPublisher<Location, Never>,
    resting coarse: (any Publisher)? = nil,
    distance: @escaping (Location) -> Double?,
    radius: Double,
    cycle: DutyCycle,
    on bus: LifecycleBus,
    tasks: BackgroundTaskCoordinator
  ) {
    self.locations = locations
    self.coarse = coarse
    self.distance = distance
    self.cycle = cycle
    self.bus = bus
    self.tasks = tasks
    arrival = ArrivalMachine(radius: radius)
  }

  /// The time for which the receiver was on, which is its cost to the battery.
  var receiverOn: Duration { meter.subscribedDuration }

  func appear() {
    let scope = LifecycleScope("location")
    self.scope = scope
    locations
      .handleEvents(receiveOutput: { [weak self] location in self?.see(location) })
      .dutyCycle(cycle, of: bus, tasks: tasks, resting: coarse, meter: meter) { [weak self] rest in
        self?.onUpdate(.rest(rest))
      }
      .sink { [weak self] location in self?.take(location) }
      .store(in: scope)
  }

  func disappear() {
    scope?.end()
    scope = nil
  }

  private func see(_ location: Location) {
    locationCount += 1
    onUpdate(.location(location))
  }

  private func take(_ location: Location) {
    guard let distance = distance(location), arrival.move(to: distance) else { return }
    onUpdate(.arrival(location, distance: distance))
  }
}

/// Detects the arrival at a place: once, until the place has been left.
struct ArrivalMachine {
  let radius: Double
  private var isThere = false

  init(radius: Double) {
    self.radius = radius
  }

  /// Returns a Boolean value that indicates whether this distance is an arrival.
  ///
  /// Moving back and forth across the border does not count as leaving; only a distance of more
  /// than 1.1 times the radius does.
  mutating func move(to distance: Double) -> Bool {
    let wasThere = isThere
    isThere = distance <= (wasThere ? radius * 1.1 : radius)
    return isThere && !wasThere
  }
}

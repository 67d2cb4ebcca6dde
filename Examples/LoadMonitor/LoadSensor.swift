import Dispatch
import LifecycleCombine

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Measures how busy the machine is: a stand-in for a sensor that drains a battery, such as the
/// position. It runs for as long as it has a subscriber.
struct LoadSensor {
  private let interval: Duration
  private let onSwitch: @Sendable (_ isOn: Bool) -> Void

  /// - Parameters:
  ///   - interval: The time between two readings.
  ///   - onSwitch: Called on the thread that subscribes or cancels, when the sensor is switched on
  ///     or off. A view model may be released on any thread.
  init(every interval: Duration, onSwitch: @escaping @Sendable (_ isOn: Bool) -> Void) {
    self.interval = interval
    self.onSwitch = onSwitch
  }

  /// The load of the last minute, published at each interval on the main actor. Each subscription
  /// switches the sensor on, and its cancellation switches it off.
  var readings: AnyPublisher<Double, Never> {
    Deferred { [interval, onSwitch] in
      let subject = PassthroughSubject<Double, Never>()
      let timer = DispatchSource.makeTimerSource(queue: .main)
      let nanoseconds = Int(interval / .nanoseconds(1))
      timer.schedule(deadline: .now(), repeating: .nanoseconds(nanoseconds))
      timer.setEventHandler { subject.send(Self.load) }
      onSwitch(true)
      timer.activate()
      return subject.handleEvents(receiveCancel: {
        timer.cancel()
        onSwitch(false)
      })
    }
    .eraseToAnyPublisher()
  }

  private static var load: Double {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : .nan
  }
}

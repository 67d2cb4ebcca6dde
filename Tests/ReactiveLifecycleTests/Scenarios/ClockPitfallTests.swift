import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// How long it was away, by the wrong clock.
@MainActor
@Suite("Pitfalls: clocks")
struct ClockPitfallTests {
  /// The time away as measured by hand, on a clock that is read at each of two events.
  private final class ByHand {
    private let subject = PassthroughSubject<LifecycleEvent.Kind, Never>()
    private var left: Duration?
    private(set) var away: Duration?
    private var sink: AnyCancellable?

    init(_ clock: ManualClock, _ reading: @escaping (LifecycleInstant) -> Duration) {
      sink = subject.sink { [unowned self] kind in
        let now = reading(clock.now)
        if kind == .didEnterBackground { left = now }
        if kind == .willEnterForeground, let left { away = now - left }
      }
    }

    func send(_ kind: LifecycleEvent.Kind) { subject.send(kind) }
  }

  /// Away meanwhile: by hand, and by the bus.
  private func measure(
    _ reading: @escaping (LifecycleInstant) -> Duration,
    meanwhile: (ManualClock) -> Void
  ) -> (byHand: Duration?, stay: BackgroundStay?) {
    let clock = ManualClock()
    let byHand = ByHand(clock, reading)
    let bus = LifecycleBus(clock: clock)
    let stays = Collector<BackgroundStay>()
    let sink = bus.backgroundStays.sink { stays($0) }
    byHand.send(.didEnterBackground)
    bus.send(.didEnterBackground)
    meanwhile(clock)
    byHand.send(.willEnterForeground)
    bus.send(.willEnterForeground)
    sink.cancel()
    return (byHand.away, stays.values.last)
  }

  @Test("A session that should have timed out while the device slept (opentelemetry-android#1363)")
  func clockThatStopsInSleep() {
    let timeout = Duration.seconds(15 * 60)
    let (byHand, stay) = measure(\.timeAwake) { clock in
      clock.advance(by: .seconds(10))
      clock.sleepDevice(for: .seconds(8 * 3600))
    }
    expectNoDifference(byHand, .seconds(10))
    #expect(byHand! < timeout)
    expectNoDifference(stay?.duration, .seconds(8 * 3600 + 10))
    expectNoDifference(stay?.timeAsleep, .seconds(8 * 3600))
    #expect(stay!.duration > timeout)
  }

  @Test("A lock that opens when the clock is set back (LTHPasscodeViewController#174)")
  func clockThatTheUserSetsBack() {
    let grace = Duration.seconds(60)
    let (byHand, stay) = measure(\.timeSince1970) { clock in
      clock.advance(by: .seconds(600))
      clock.setWallClock(by: .seconds(-3600))
    }
    expectNoDifference(byHand, .seconds(-3000))
    #expect(byHand! < grace, "no passcode is asked for")
    expectNoDifference(stay?.duration, .seconds(600))
    expectNoDifference(stay?.wallClockShift, .seconds(-3600))
    #expect(stay!.duration > grace)
  }
}

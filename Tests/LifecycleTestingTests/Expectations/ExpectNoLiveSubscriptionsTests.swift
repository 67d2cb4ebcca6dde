import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("No live subscriptions are expected")
@MainActor
struct ExpectNoLiveSubscriptionsTests {
  @Test("A bus without subscriptions passes, and one whose subscriptions are gone")
  func busWithoutSubscriptionsPasses() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    expectNoLiveSubscriptions(of: bus)
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope) { _ in }
    scope.end()
    expectNoLiveSubscriptions(of: bus)
  }

  @Test(
    "Those that are left are reported in order, with scope, file, line and age, at the caller's"
  )
  func subscriptionsAreListedInOrder() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let scope = LifecycleScope("screen")
    let first = #line + 1
    let token = bus.addObserver { _ in }
    clock.advance(by: .milliseconds(1500))
    let loop = #line + 1
    for _ in 1...2 { bus.addObserver(in: scope) { _ in } }
    clock.advance(by: .seconds(90))
    bus.addObserver(in: scope) { _ in }
    let sink = bus.events.sink { _ in }
    let line = #line + 2
    let found = await complaints {
      expectNoLiveSubscriptions(of: bus)
    }
    let file = "LifecycleTestingTests/ExpectNoLiveSubscriptionsTests.swift"
    expectNoDifference(
      found,
      [
        Complaint(
          """
          5 subscriptions of the bus are still live:

            • \(file):\(first), for 91.5 s
            • \(file):\(loop) (scope "screen"), for 90 s ×2
            • \(file):\(loop + 2) (scope "screen"), for 0 s
            • a subscriber of a publisher, for 0 s

          For a subscriber of a publisher that is a property, such as events, the bus doesn't know \
          the line that subscribed or the scope that stores its AnyCancellable. To find the \
          subscriber, observe with addObserver(in:) or onReturn(in:), which report their line and \
          scope, or with publisher(for: .all), which reports its line.
          """,
          line: line
        )
      ]
    )
    sink.cancel()
    token.cancel()
    scope.end()
    expectNoLiveSubscriptions(of: bus)
  }

  @Test("Every form of addObserver and onReturn, with a token or an owner, has its file and line")
  func everyFormHasItsLine() async {
    final class Owner: Sendable {}
    let bus = LifecycleBus(clock: ManualClock())
    let owner = Owner()
    let first = #line + 2
    let tokens = [
      bus.addObserver { _ in },
      bus.onReturn { _ in },
    ]
    bus.addObserver(owner) { _, _ in }
    bus.onReturn(owner) { _, _ in }
    let found = await complaints { expectNoLiveSubscriptions(of: bus) }
    let lines = found.flatMap { $0.message.split(separator: "\n") }.filter { $0.contains("•") }
    expectNoDifference(
      lines,
      [first, first + 1, first + 3, first + 4].map {
        "  • LifecycleTestingTests/ExpectNoLiveSubscriptionsTests.swift:\($0), for 0 s"
      }
    )
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test("One that is left is one")
  func oneSubscriptionIsCountedInTheSingular() async {
    let bus = LifecycleBus(clock: ManualClock())
    let token = bus.addObserver { _ in }
    let found = await complaints { expectNoLiveSubscriptions(of: bus) }
    expectNoDifference(
      found.map(\.message),
      [
        """
        1 subscription of the bus is still live:

          • LifecycleTestingTests/ExpectNoLiveSubscriptionsTests.swift:\(#line - 8), for 0 s
        """
      ]
    )
    token.cancel()
  }

  @Test("What the lifecycle records is no leak, and is recorded no more, except by closures")
  func whatLifecycleRecordsIsNoLeak() async {
    let lifecycle = ScriptedLifecycle()
    let phases = lifecycle.record(lifecycle.bus.phases, as: "phase")
    let numbers = lifecycle.recorder(of: Int.self, as: "number")
    expectNoLiveSubscriptions(of: lifecycle)
    await lifecycle.perform(.launch)
    numbers.record(1)
    expectNoDifference(phases.elements, [.unknown])
    expectNoDifference(numbers.elements, [1])
    let token = lifecycle.bus.addObserver { _ in }
    let line = #line + 2
    let found = await complaints {
      expectNoLiveSubscriptions(of: lifecycle)
    }
    expectNoDifference(found.map(\.line), [line])
    token.cancel()
    expectNoLiveSubscriptions(of: lifecycle)
  }

  @Test("A recorder of its own is a subscription")
  func separateRecorderIsSubscription() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases, of: bus)
    let found = await complaints { expectNoLiveSubscriptions(of: bus) }
    expectNoDifference(found.count, 1)
    recorder.cancel()
    expectNoLiveSubscriptions(of: bus)
  }
}

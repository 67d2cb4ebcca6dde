import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@Suite("No live subscriptions are expected")
@MainActor
struct ExpectNoLiveSubscriptionsTests {
  @Test(
    "Live subscriptions are reported with scope, file, line and age, at the caller's line"
  )
  func subscriptionsAreListedInOrder() {
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
    let file = "LifecycleTestingTests/ExpectLeakTests.swift"
    expectReportedIssue(
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
      line: #line + 2
    ) {
      expectNoLiveSubscriptions(of: bus)
    }
    sink.cancel()
    token.cancel()
    scope.end()
    expectNoLiveSubscriptions(of: bus)
  }

  @Test("Recorders of the script are no leaks, and stop recording publishers")
  func whatLifecycleRecordsIsNoLeak() async {
    let lifecycle = ScriptedLifecycle()
    let phases = lifecycle.transcribe(lifecycle.bus.phases, as: "phase")
    let numbers = lifecycle.recorder(of: Int.self, as: "number")
    expectNoLiveSubscriptions(of: lifecycle)
    await lifecycle.perform(.launch)
    numbers.record(1)
    expectNoDifference(phases.elements, [.unknown])
    expectNoDifference(numbers.elements, [1])
    // A recorder of its own is a subscription.
    let recorder = LifecycleRecorder(lifecycle.bus.phases, of: lifecycle.bus)
    expectReportedIssue("1 subscription of the bus is still live:", line: #line + 1) {
      expectNoLiveSubscriptions(of: lifecycle)
    }
    recorder.cancel()
    expectNoLiveSubscriptions(of: lifecycle)
  }
}

@Suite("A release is expected")
@MainActor
struct ExpectReleasedTests {
  @Test("An object that nothing else holds is released")
  func unheldObjectIsReleased() {
    let bus = LifecycleBus(clock: ManualClock())
    var model: RentalModel? = RentalModel(bus)
    weak let released = model
    expectReleased(&model)
    #expect(model == nil && released == nil)
    expectNoLiveSubscriptions(of: bus)
  }

  @Test("An object that an observer holds is reported with the live subscriptions")
  func heldByObserver() {
    let bus = LifecycleBus(clock: ManualClock())
    var model: HeldModel? = HeldModel()
    let line = #line + 1
    let token = bus.addObserver { [model] _ in model?.count += 1 }
    expectReportedIssue(
      """
      HeldModel was not released: something else still holds it. It may be one of the bus's live \
      subscriptions:

        • LifecycleTestingTests/ExpectLeakTests.swift:\(line), for 0 s
      """
    ) {
      expectReleased(&model, of: bus)
    }
    token.cancel()
  }

  @Test("An object that is held although the bus has no subscriptions is reported so")
  func noSubscription() {
    let holder = ScriptedLifecycle()
    var model: HeldModel? = HeldModel()
    holder.keep(model as Any)
    expectReportedIssue(
      "HeldModel was not released: something else still holds it. The bus has no live subscriptions."
    ) {
      expectReleased(&model, of: holder.bus)
    }
    withExtendedLifetime(holder) {}
  }

  @Test("A reference that was nil already fails")
  func alreadyNil() {
    var model: HeldModel?
    expectReportedIssue(
      """
      There is no HeldModel to release: the reference is already nil. Pass a variable that \
      holds the object.
      """,
      line: #line + 2
    ) {
      expectReleased(&model)
    }
  }
}

@MainActor
private final class HeldModel {
  var count = 0
}

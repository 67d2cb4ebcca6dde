import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("The flight recorder: observers")
struct ObserverRecordTests {
  private let clock = ManualClock()

  @Test("Observers of all forms are recorded as they come and go")
  func forms() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let token = bus.addObserver { _ in }
    let sink = bus.events.sink { _ in }
    let phases = bus.phases.sink { _ in }
    var owner: Canary? = Canary {}
    bus.addObserver(owner!) { _, _ in }
    clock.advance(by: .seconds(1))
    token.cancel()
    token.cancel()
    sink.cancel()
    phases.cancel()
    owner = nil
    bus.send(.didFinishLaunching)
    expectNoDifference(
      recorder.recording.lines,
      [
        "observer 1 added", "observer 2 added", "observer 3 added", "observer 4 added",
        "observer 1 removed", "observer 2 removed", "observer 3 removed",
        "input didFinishLaunching from 0",
        "event 1 didFinishLaunching unknown→background manual",
        "observer 4 removed",
      ]
    )
    expectNoDifference(recorder.recording.records[4].instant, clock.now)
  }

  @Test("An observer is recorded with its line, and the scope that holds it")
  func locations() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope) { _ in }
    let line = UInt(#line - 1)
    let sink = bus.events.sink { _ in }
    scope.end()
    expectNoDifference(
      recorder.recording.records.prefix(2).map(\.content),
      [
        .observerAdded(observer: 1, .init(scope: "screen", fileID: #fileID, line: line)),
        .observerAdded(observer: 2, .init()),
      ]
    )
    expectNoDifference(recorder.recording.lines.last, "observer 1 removed")
    withExtendedLifetime(sink) {}
  }

  @Test("Observers that come and go during a delivery are recorded at that moment")
  func duringDelivery() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let scope = LifecycleScope("screen")
    let token = bus.addObserver(for: .didFinishLaunching) { [weak bus] _ in
      bus?.addObserver(in: scope) { _ in }
      bus?.send(.systemDidWake)
      scope.end()
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(
      recorder.recording.lines,
      [
        "observer 1 added",
        "input didFinishLaunching from 0",
        "event 1 didFinishLaunching unknown→background manual",
        "observer 2 added",
        "input systemDidWake from 0",
        "event 2 systemDidWake background→background manual",
        "observer 2 removed",
      ]
    )
    withExtendedLifetime(token) {}
  }

  @Test("What is recorded is what the bus lists as live, except subscribers of suppressed inputs")
  func liveSubscriptions() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let scope = LifecycleScope("screen")
    let owner = Canary {}
    bus.addObserver(in: scope) { _ in }
    bus.addObserver(owner) { _, _ in }
    let token = bus.addObserver { _ in }
    let sinks = [
      bus.events.sink { _ in }, bus.phases.settle(for: .seconds(1)).sink { _ in },
      bus.events.gate(.atLeast(.active), of: bus, buffering: .latest).sink { _ in },
    ]
    let countdown = Countdown(.seconds(1), of: bus)
    let recorded = recorder.recording.records.compactMap { record in
      if case .observerAdded(_, let location) = record.content { location } else { nil }
    }
    expectNoDifference(
      recorded.map(\.description).sorted(),
      bus.diagnostics.liveSubscriptions.map(\.location.description).sorted()
    )
    #expect(recorded.count > 6)
    let suppressed = bus.suppressedInputs.sink { _ in }
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, recorded.count + 1)
    expectNoDifference(recorder.recording.records.count, recorded.count)
    withExtendedLifetime((owner, token, sinks, countdown, suppressed)) {}
  }

  @Test("The leaving of observers that were registered before a recorder is not recorded")
  func laterRecorder() {
    let bus = LifecycleBus(clock: clock)
    var first: FlightRecorder? = FlightRecorder(of: bus)
    let early = [bus.addObserver { _ in }, bus.addObserver { _ in }]
    let second = FlightRecorder(of: bus)
    let late = bus.addObserver { _ in }
    early[0].cancel()
    expectNoDifference(first?.recording.lines.last, "observer 1 removed")
    first = nil
    early[1].cancel()
    late.cancel()
    expectNoDifference(second.recording.lines, ["observer 3 added", "observer 3 removed"])
  }

  @Test("An owner that is gone is released outside the lock")
  func ownerRelease() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let lines = Trace()
    var owner: Canary? = Canary {
      _ = bus.phase
      lines("\(recorder.recording.records.count)")
    }
    bus.addObserver(owner!) { _, _ in }
    owner = nil
    expectNoDifference(lines.lines, ["1"])
    let token = bus.addObserver { _ in }
    expectNoDifference(
      recorder.recording.lines,
      ["observer 1 added", "observer 2 added", "observer 1 removed"]
    )
    withExtendedLifetime(token) {}
  }
}

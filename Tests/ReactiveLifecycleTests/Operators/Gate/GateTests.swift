import CustomDump
import Foundation
import IssueReporting
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Gate")
struct GateTests {
  @Test("The latest is held", arguments: BusKind.allCases)
  func latestValueIsHeld(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    let numbers = PassthroughSubject<Int, Never>()
    let gate = numbers.gate(.atLeast(.active), of: lifecycle.bus, buffering: .latest)
    lifecycle.record(gate, as: "passed")
    numbers.send(1)
    lifecycle.perform(.resignActive)
    for number in [2, 3] { numbers.send(number) }
    lifecycle.perform(.enterBackground)
    numbers.send(4)
    lifecycle.perform(.enterForeground)
    numbers.send(5)
    lifecycle.perform(.resignActive, .becomeActive)
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] passed: 1
        resignActive
          [0 s inactive] willResignActive
        enterBackground
          [0 s background] didEnterBackground
        enterForeground
          [0 s inactive] willEnterForeground (away 0 s)
          [0 s active] didBecomeActive
          [0 s active] passed: 4
          [0 s active] passed: 5
        resignActive
          [0 s inactive] willResignActive
        becomeActive
          [0 s active] didBecomeActive
        """
    )
  }

  @Test("All are held up to a limit, in order", arguments: BusKind.allCases)
  func allValuesAreHeldUpToALimit(_ kind: BusKind) {
    for (whenFull, kept) in [
      (Publishers.LifecycleGateBuffering.WhenFull.dropOldest, [3, 4, 5]), (.dropNewest, [1, 2, 3]),
    ] {
      let bus = kind.make()
      let numbers = PassthroughSubject<Int, Never>()
      let gate = numbers.gate(
        .atLeast(.active),
        of: bus,
        buffering: .all(limit: 3, whenFull: whenFull)
      )
      let passed = LifecycleRecorder(gate, of: bus)
      for number in 1...5 { numbers.send(number) }
      expectNoDifference(passed.takeElements(), [])
      bus.send(.didBecomeActive)
      numbers.send(6)
      expectNoDifference(passed.takeElements(), kept + [6])
    }
  }

  @Test("A gate that is open at most in a phase", arguments: BusKind.allCases)
  func atMost(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    upstream.gate(.atMost(.background), of: bus, buffering: .latest).subscribe(downstream)
    upstream.send(1)
    bus.send(.didBecomeActive)
    upstream.send(2)
    bus.send(.didEnterBackground)
    upstream.send(3)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "1", "2", "3"]
    )
  }

  @Test("Every phase, as a bound of either side", arguments: LifecyclePhase.allCases)
  func everyPhase(_ bound: LifecyclePhase) {
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground,
    ]
    for kind in BusKind.allCases {
      let bus = kind.make()
      let numbers = PassthroughSubject<Int, Never>()
      // Some are always open, which is reported.
      let (atLeast, atMost) = withIssueReporters([]) {
        (
          LifecycleRecorder(numbers.gate(.atLeast(bound), of: bus, buffering: .drop), of: bus),
          LifecycleRecorder(numbers.gate(.atMost(bound), of: bus, buffering: .drop), of: bus)
        )
      }
      func check(_ phase: LifecyclePhase) {
        numbers.send(1)
        expectNoDifference(atLeast.takeElements(), phase >= bound ? [1] : [])
        expectNoDifference(atMost.takeElements(), phase <= bound ? [1] : [])
      }
      check(.unknown)
      for kind in kinds {
        bus.send(kind)
        check(bus.phase)
      }
    }
  }

  @Test("A limit below 1 is reported at the caller's line, and keeps nothing")
  func badLimit() {
    let bus = BusKind.nonisolated.make()
    for whenFull in [Publishers.LifecycleGateBuffering.WhenFull.dropOldest, .dropNewest] {
      for limit in [0, -1, .min] {
        let numbers = PassthroughSubject<Int, Never>()
        let buffering = Publishers.LifecycleGateBuffering.all(limit: limit, whenFull: whenFull)
        var passed: LifecycleRecorder<Int, Never>?
        expectReportedIssue("keeps nothing", line: #line + 1) {
          let gate = numbers.gate(.atLeast(.active), of: bus, buffering: buffering)
          passed = LifecycleRecorder(gate, of: bus)
        }
        numbers.send(1)
        bus.send(.didBecomeActive)
        expectNoDifference(passed?.elements, [])
        bus.send(.willResignActive)
      }
    }
  }

  @Test("A buffering as JSON comes back, and what is none is refused")
  func bufferingAsJSON() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for (buffering, text) in [
      (Publishers.LifecycleGateBuffering.drop, #"{"policy":"drop"}"#),
      (.latest, #"{"policy":"latest"}"#),
      (
        .all(limit: 3, whenFull: .dropOldest),
        #"{"limit":3,"policy":"all","whenFull":"dropOldest"}"#
      ),
      (
        .all(limit: 1, whenFull: .dropNewest),
        #"{"limit":1,"policy":"all","whenFull":"dropNewest"}"#
      ),
    ] {
      let data = try encoder.encode(buffering)
      expectNoDifference(String(decoding: data, as: UTF8.self), text)
      let decoded = try JSONDecoder().decode(Publishers.LifecycleGateBuffering.self, from: data)
      expectNoDifference(decoded, buffering)
    }
    for text in [
      #"{"policy":"some"}"#, #"{"limit":0,"policy":"all","whenFull":"dropOldest"}"#,
      #"{"limit":3,"policy":"all","whenFull":"dropAll"}"#,
    ] {
      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Publishers.LifecycleGateBuffering.self, from: Data(text.utf8))
      }
      expectNoDifference(error?.isDataCorrupted, true, "\(text)")
    }
  }

  @Test("The value that a full gate drops, as JSON")
  func whenFullAsJSON() throws {
    typealias WhenFull = Publishers.LifecycleGateBuffering.WhenFull
    let data = try JSONEncoder().encode([WhenFull.dropOldest, .dropNewest])
    expectNoDifference(String(decoding: data, as: UTF8.self), #"["dropOldest","dropNewest"]"#)
    expectNoDifference(
      try JSONDecoder().decode([WhenFull].self, from: data),
      [.dropOldest, .dropNewest]
    )
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([WhenFull].self, from: Data(#"["dropAll"]"#.utf8))
    }
    expectNoDifference(error?.isDataCorrupted, true)
  }

  @Test("The gate's line is among the bus's subscriptions", arguments: BusKind.allCases)
  func gateLineIsAmongSubscriptionsOfBus(_ kind: BusKind) {
    let bus = kind.make()
    let upstream = ProbePublisher(Trace())
    let downstream = ProbeSubscriber(Trace())
    upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [#line - 1])
    expectNoDifference(bus.liveSubscriptions.map(\.location.fileID), [#fileID])
    downstream.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }
}

import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G3 One order for all")
struct G03OneOrderTests {
  @Test("Numbers start at 1 on each bus and have no gaps", arguments: BusKind.allCases)
  func numbersStartAtOne(_ kind: BusKind) {
    let trace = Trace()
    for name in ["first", "second"] {
      let bus = kind.make()
      let token = bus.addObserver { trace("\(name) \($0.shortLine)") }
      bus.send(all: .willEnterForeground, .willEnterForeground, .systemDidWake, .didEnterBackground)
      token.cancel()
    }
    let numbered = [
      "1 didFinishLaunching", "2 willEnterForeground", "3 systemDidWake", "4 didEnterBackground",
    ]
    expectNoDifference(
      trace.lines,
      numbered.map { "first \($0)" } + numbered.map { "second \($0)" }
    )
  }

  @Test("Nested inputs wait, in every form", arguments: BusKind.allCases)
  func everyFormSeesOneOrder(_ kind: BusKind) {
    let bus = kind.make()
    let seen = Locked<[String: [String]]>([:])
    let note: @Sendable (String, String) -> Void = { form, line in
      seen.withLock { $0[form, default: []].append(line) }
    }
    let scope = LifecycleScope()
    let owner = Owner()
    bus.addObserver(in: scope) { [unowned bus] event in
      note("scope", event.shortLine)
      if event.kind == .didFinishLaunching { bus.send(all: .systemWillSleep, .didEnterBackground) }
      if event.kind == .systemWillSleep { bus.send(.systemDidWake) }
    }
    let token = bus.addObserver { note("token", $0.shortLine) }
    bus.addObserver(owner) { _, event in note("owner", event.shortLine) }
    bus.events.sink { note("events", $0.shortLine) }.store(in: scope)
    bus.publisher(
      for: [
        .didFinishLaunching, .willEnterForeground, .didEnterBackground, .systemWillSleep,
        .systemDidWake,
      ]
    )
    .sink { note("publisher", $0.shortLine) }.store(in: scope)
    bus.send(.willEnterForeground)
    token.cancel()
    scope.end()
    let order = [
      "1 didFinishLaunching", "2 willEnterForeground", "3 systemWillSleep", "4 didEnterBackground",
      "5 systemDidWake",
    ]
    expectNoDifference(
      seen.withLock { $0 },
      ["token": order, "scope": order, "owner": order, "events": order, "publisher": order]
    )
    withExtendedLifetime(owner) {}
  }

  @Test("A nested input comes after what was filled in before", arguments: BusKind.allCases)
  func nestedInputWaitsForFilledInSteps(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let first = bus.addObserver { [unowned bus] event in
      trace("A \(event.line)")
      if event.kind == .didFinishLaunching { trace(bus.send(.didEnterBackground).line) }
    }
    let second = bus.addObserver { trace("B \($0.shortLine)") }
    trace(bus.send(.didBecomeActive).line)
    first.cancel()
    second.cancel()
    expectNoDifference(
      trace.lines,
      [
        "A 1 didFinishLaunching unknown→background synthesized",
        "queued",
        "B 1 didFinishLaunching",
        "A 2 willEnterForeground background→inactive synthesized",
        "B 2 willEnterForeground",
        "A 3 didBecomeActive inactive→active manual",
        "B 3 didBecomeActive",
        "B 4 willResignActive",
        "A 4 willResignActive active→inactive synthesized",
        "B 5 didEnterBackground",
        "A 5 didEnterBackground inactive→background manual",
        "delivered",
      ]
    )
  }

  @Test("Inputs nested in nested inputs keep the order of acceptance", arguments: BusKind.allCases)
  func deepNesting(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let count = Locked(0)
    let first = bus.addObserver { [unowned bus] event in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < 20 { bus.send(.systemDidWake, metadata: ["from": "\(number)"]) }
    }
    let second = bus.addObserver { trace("\($0.sequenceNumber) \($0.metadata["from"] ?? "-")") }
    bus.send(.systemDidWake)
    first.cancel()
    second.cancel()
    expectNoDifference(trace.lines, ["1 -"] + (1..<20).map { "\($0 + 1) \($0)" })
  }

  @Test("What was suppressed is published in its place", arguments: BusKind.allCases)
  func suppressedInputsKeepTheirPlace(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { [unowned bus] event in
      trace(event.shortLine)
      if event.kind == .didFinishLaunching {
        bus.send(all: .systemDidWake, .didFinishLaunching, .systemWillSleep)
      }
    }
    let suppressed = bus.suppressedInputs.sink { trace($0.line) }
    bus.send(.didFinishLaunching)
    token.cancel()
    suppressed.cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching", "2 systemDidWake", "didFinishLaunching duplicate manual",
        "3 systemWillSleep",
      ]
    )
  }
}

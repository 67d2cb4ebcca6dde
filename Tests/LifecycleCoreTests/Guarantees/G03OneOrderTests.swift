import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
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

  @Test("Each form of observer sees nested inputs in the same order", arguments: BusKind.allCases)
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
}

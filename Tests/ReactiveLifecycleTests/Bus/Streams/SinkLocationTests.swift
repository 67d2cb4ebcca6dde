import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Sink: where it was called")
struct SinkLocationTests {
  private func locations(_ bus: any LifecycleBusProtocol) -> [String] {
    bus.liveSubscriptions.map(\.location.description)
  }

  @Test(
    "A sink of publisher(for:) is named by the line of publisher(for:)",
    arguments: BusKind.allCases
  )
  func sinkIsNamedByLineOfItsPublisher(_ kind: BusKind) {
    let bus = kind.make()
    let line: UInt = #line + 1
    let publisher = bus.publisher(for: .systemDidWake)
    let cancellable = publisher.sink { _ in }
    expectNoDifference(
      locations(bus),
      ["ReactiveLifecycleTests/SinkLocationTests.swift:\(line)"]
    )
    cancellable.cancel()
  }

  @Test(
    "A sink of a property has no line, one of publisher(for:) has, also through an operator",
    arguments: BusKind.allCases
  )
  func sinkOfPropertyHasNoLine(_ kind: BusKind) {
    let bus = kind.make()
    let line: UInt = #line
    let cancellables = [
      bus.events.sink { _ in },
      bus.publisher(for: .systemDidWake).map { $0 }.sink { _ in },
      bus.suppressedInputs.sink { _ in },
    ]
    expectNoDifference(
      locations(bus),
      [
        "a subscriber of a publisher",
        "ReactiveLifecycleTests/SinkLocationTests.swift:\(line + 3)",
        "a subscriber of a publisher",
      ]
    )
    withExtendedLifetime(cancellables) {}
  }

  @Test(
    "A sink or token that a scope stores has no scope's name, an observer in the scope has",
    arguments: BusKind.allCases
  )
  func sinkInAScope(_ kind: BusKind) {
    let bus = kind.make()
    let scope = LifecycleScope("screen")
    let line: UInt = #line
    bus.events.sink { _ in }.store(in: scope)
    bus.publisher(for: .systemDidWake).sink { _ in }.store(in: scope)
    bus.addObserver(in: scope) { _ in }
    bus.addObserver { _ in }.store(in: scope)
    expectNoDifference(
      locations(bus),
      [
        "a subscriber of a publisher",
        "ReactiveLifecycleTests/SinkLocationTests.swift:\(line + 2)",
        "ReactiveLifecycleTests/SinkLocationTests.swift:\(line + 3) (scope \"screen\")",
        "ReactiveLifecycleTests/SinkLocationTests.swift:\(line + 4)",
      ]
    )
    scope.end()
  }

  @Test(
    "Subscribers of suppressed inputs are listed behind the observers that joined after them",
    arguments: BusKind.allCases
  )
  func suppressedInputsAreListedLast(_ kind: BusKind) {
    let bus = kind.make()
    let suppressed = bus.suppressedInputs.sink { _ in }
    let line: UInt = #line + 1
    let token = bus.addObserver { _ in }
    let expected = [
      "ReactiveLifecycleTests/SinkLocationTests.swift:\(line)", "a subscriber of a publisher",
    ]
    expectNoDifference(locations(bus), expected)
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.description), expected)
    suppressed.cancel()
    token.cancel()
  }

  @Test("A latecomer's age begins with its sink", arguments: BusKind.allCases)
  func ageOfALatecomer(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let first = bus.events.sink { _ in }
    clock.sleepDevice(for: .seconds(90))
    let second = bus.phases.sink { _ in }
    clock.advance(by: .seconds(5))
    expectNoDifference(bus.liveSubscriptions.map(\.age), [.seconds(95), .seconds(5)])
    withExtendedLifetime((first, second)) {}
  }
}

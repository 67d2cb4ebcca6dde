import CustomDump
import LifecycleTesting
import OpenCombineShim
import ReactiveLifecycle
import Testing

@MainActor
@Suite("Sink: where it was called")
struct SinkLocationTests {
  private func locations(_ bus: any TestedBus) -> [String] {
    bus.liveSubscriptions.map(\.location.description)
  }

  @Test("A sink of a property is named by file and line", arguments: BusKind.allCases)
  func properties(_ kind: BusKind) {
    let bus = kind.make()
    let line: UInt = #line
    let cancellables = [
      bus.events.sink { _ in },
      bus.phases.sink { _ in },
      bus.backgroundStays.sink { _ in },
      bus.events.sink { _ in
      } receiveValue: { _ in
      },
    ]
    expectNoDifference(
      locations(bus),
      (line + 2...line + 5).map { "ReactiveLifecycleTests/SinkLocationTests.swift:\($0)" }
    )
    withExtendedLifetime(cancellables) {}
  }

  @Test(
    "A sink of publisher(for:) is named by the line of publisher(for:)",
    arguments: BusKind.allCases
  )
  func publishers(_ kind: BusKind) {
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
    "Through an operator a property has no line, publisher(for:) has",
    arguments: BusKind.allCases
  )
  func operators(_ kind: BusKind) {
    let bus = kind.make()
    let line: UInt = #line
    let cancellables = [
      bus.events.map { $0 }.sink { _ in },
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

  @Test("A latecomer's age begins with its sink", arguments: BusKind.allCases)
  func age(_ kind: BusKind) {
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

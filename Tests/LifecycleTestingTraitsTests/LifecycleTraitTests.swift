import CustomDump
import LifecycleSources
import LifecycleSupport
import LifecycleTesting
import LifecycleTestingTraits
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("The trait .lifecycle")
struct LifecycleTraitTests {
  @Test(
    "The application's bus is that of a script, in virtual time, and connected to nothing else",
    .lifecycle
  )
  @MainActor
  func ownBus() {
    let lifecycle = ScriptedLifecycle.application
    let bus = LifecycleBus.application
    #expect(bus === lifecycle.bus)
    #expect(bus === LifecycleBus.application)
    let scope = LifecycleScope()
    let stays = Collector<Duration>()
    bus.onReturn(in: scope) { stays($0.duration) }
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    expectNoDifference(stays.values, [.seconds(90)])
    #expect(lifecycle.clock.elapsed == .seconds(90))
    expectNoDifference(bus.diagnostics.participants.flatMap(\.sources).count, 1)
  }

  @Test("After a relaunch, the application's bus is that of the new process", .lifecycle)
  @MainActor
  func relaunch() {
    let lifecycle = ScriptedLifecycle.application
    let first = LifecycleBus.application
    lifecycle.perform(.launch, .becomeActive, .kill, .relaunch)
    #expect(LifecycleBus.application !== first)
    #expect(LifecycleBus.application === lifecycle.bus)
  }

  @Test("A test off the main actor has its own bus, too, and so have its tasks", .lifecycle)
  func offMainActor() async {
    let bus = LifecycleBus.application
    await Task { #expect(LifecycleBus.application === bus) }.value
    await MainActor.run { #expect(ScriptedLifecycle.application.bus === bus) }
    #expect(bus.phase == .unknown)
  }

  private static let buses = Locked<[ObjectIdentifier: LifecycleBus]>([:])

  @Test("Each case of a test has its own bus", .lifecycle, arguments: 0..<20)
  func cases(_ number: Int) async {
    let bus = LifecycleBus.application
    await MainActor.run { _ = bus.send(number % 2 == 0 ? .didBecomeActive : .didEnterBackground) }
    await Task.yield()
    #expect(LifecycleBus.application === bus)
    #expect(bus.phase == (number % 2 == 0 ? .active : .background))
    let earlier = Self.buses.withLock { $0.updateValue(bus, forKey: ObjectIdentifier(bus)) }
    #expect(earlier == nil)
  }

  @Test("Without the trait, the script of the application is reported")
  @MainActor
  func withoutTheTrait() {
    expectReportedIssue("Add @Test(.lifecycle) or @Suite(.lifecycle).") {
      _ = ScriptedLifecycle.application
    }
  }
}

@Suite("The trait .lifecycle on a suite", .lifecycle)
struct LifecycleSuiteTraitTests {
  private static let buses = Locked<[ObjectIdentifier: LifecycleBus]>([:])

  private let initial = LifecycleBus.application

  @Test("Each test of the suite has its own bus, already in the suite's init", arguments: 0..<3)
  func each(_ number: Int) {
    #expect(initial === LifecycleBus.application)
    let earlier = Self.buses.withLock { $0.updateValue(initial, forKey: ObjectIdentifier(initial)) }
    #expect(earlier == nil)
  }

  @Suite struct Nested {
    @Test("A suite inside it has them, too")
    @MainActor
    func nested() {
      #expect(LifecycleBus.application === ScriptedLifecycle.application.bus)
    }
  }

  @Test("A trait of the test's own comes last", .lifecycle)
  @MainActor
  func innermost() {
    #expect(LifecycleBus.application === ScriptedLifecycle.application.bus)
  }
}

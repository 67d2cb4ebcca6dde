import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: stays as a stream, as a sequence and for an owner")
@MainActor
struct StayFormTests {
  @Test("All forms see the same stays, in the same order", arguments: BusKind.allCases)
  func sameStays(_ kind: BusKind) async {
    let lifecycle = kind.activeProcess()
    let bus = lifecycle.bus
    let scope = LifecycleScope()
    let owner = Owner()
    let published = Collector<BackgroundStay>()
    let owned = Collector<BackgroundStay>()
    let scoped = Collector<BackgroundStay>()
    bus.backgroundStays.sink { published($0) }.store(in: scope)
    bus.onReturn(owner) { _, stay in owned(stay) }
    bus.onReturn(in: scope) { scoped($0) }
    let sequence = scope.task(for: bus.backgroundStays) { stays in
      var values: [BackgroundStay] = []
      for await stay in stays { values.append(stay) }
      return values
    }
    lifecycle.perform(.background(for: .seconds(5)))
    lifecycle.perform(.enterBackground, .sleepDevice(for: .seconds(60)), .enterForeground)
    lifecycle.perform(.background(for: .zero), .terminate)
    let stays = await sequence.value
    expectNoDifference(stays.map(\.duration), [.seconds(5), .seconds(60), .zero])
    expectNoDifference(published.values, stays)
    expectNoDifference(owned.values, stays)
    expectNoDifference(scoped.values, stays)
    withExtendedLifetime(owner) {}
  }
}

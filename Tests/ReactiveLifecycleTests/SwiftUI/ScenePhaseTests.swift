import CustomDump
import LifecycleSupport
import LifecycleTesting
import Testing

@testable import ReactiveLifecycle

/// What a change of SwiftUI's `scenePhase` sends.
@Suite("Scene phases")
struct ScenePhaseTests {
  private static let phases: [LifecyclePhase] = [.background, .inactive, .active]

  @Test("After any sequence of scene phases, the bus has the last one")
  func everySequence() {
    var found: [[LifecyclePhase]] = [[]]
    for _ in 1...5 {
      found = found.flatMap { start in Self.phases.map { start + [$0] } }
      for sequence in found {
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        for (old, new) in zip([sequence[0]] + sequence, sequence) {
          for kind in new.kinds(after: old) { bus.send(kind) }
          expectNoDifference(bus.phase, new, "\(sequence)")
        }
      }
    }
    expectNoDifference(found.count, 243)
  }

  @Test(
    "The first scene phase is reached directly, and a change is one event"
  )
  func phaseFoundFirstIsReachedDirectly() {
    let trace = Locked<[LifecycleEvent.Kind]>([])
    for phase in Self.phases {
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      let token = bus.addObserver { event in trace.withLock { $0.append(event.kind) } }
      for kind in phase.kinds(after: phase) { bus.send(kind) }
      token.cancel()
    }
    expectNoDifference(
      trace.withLock { $0 },
      [
        .didFinishLaunching,
        .didFinishLaunching, .willEnterForeground,
        .didFinishLaunching, .willEnterForeground, .didBecomeActive,
      ]
    )
    for old in Self.phases {
      for new in Self.phases where new != old { expectNoDifference(new.kinds(after: old).count, 1) }
    }
  }
}

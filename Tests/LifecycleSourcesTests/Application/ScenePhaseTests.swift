import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LifecycleSources

/// What a change of SwiftUI's `scenePhase` sends.
@Suite("Scene phases")
struct ScenePhaseTests {
  private static let phases: [LifecyclePhase] = [.background, .inactive, .active]

  @Test("Whatever the phases found one after another, the bus is where the last one says")
  func everySequence() {
    var found: [[LifecyclePhase]] = [[]]
    for _ in 1...5 {
      found = found.flatMap { start in Self.phases.map { start + [$0] } }
      for sequence in found {
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        for (old, new) in zip([sequence[0]] + sequence, sequence) {
          bus.send(new.kind(after: old))
          #expect(bus.phase == new, "\(sequence)")
        }
      }
    }
    #expect(found.count == 243)
  }

  @Test("Found at first, a phase is reached without a visit further forward")
  func first() {
    expectNoDifference(
      Self.phases.map { $0.kind(after: $0) },
      [.didFinishLaunching, .willEnterForeground, .didBecomeActive]
    )
  }
}

import CustomDump
import Foundation
import ReactiveLifecycle
import TestSupport
import Testing

/// Random scripts, run on two buses that differ in nothing but whether a `sink` is the bus's own
/// subscriber, or one behind OpenCombine's `AnyPublisher`.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter Model` runs that seed alone.
@MainActor
@Suite("Model: sink and OpenCombine's")
struct SinkModelTests {
  private static let count: UInt64 = 3_000

  @Test(
    "Three thousand random scripts do the same to a sink of the bus and behind AnyPublisher",
    arguments: BusKind.allCases
  )
  func randomScripts(_ kind: BusKind) {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
    var sinkLines = 0
    for seed in chosen.map({ $0...$0 }) ?? 1...Self.count {
      let own = trace(seed, kind, .own)
      let openCombine = trace(seed, kind, .openCombine)
      sinkLines += own.count { $0.contains("Sink") }
      expectNoDifference(own, openCombine, "LIFECYCLE_SEED=\(seed), \(kind.testDescription)")
      guard own == openCombine else { return }
    }
    if chosen == nil { #expect(sinkLines > 2_000, "hardly a script has a sink") }
  }

  private func trace(_ seed: UInt64, _ kind: BusKind, _ sinks: RealBus.SinkKind) -> [String] {
    // OpenCombine's lets go of closures under way; the bus's keeps them until the event is over.
    let script = Script(seed: seed, followsReleases: false) {
      RealBus($0, kind.make(), sinks: sinks)
    }
    script.run()
    return script.trace
  }
}

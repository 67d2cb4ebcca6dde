import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Random scripts, whose observers add, cancel, send, request and end scopes from inside their calls
/// and from inside the release of what they captured, run on a bus and on a simple model of one.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter Model` runs that seed alone.
@MainActor
@Suite("Model")
struct ModelTests {
  private static let count: UInt64 = 10_000

  @Test("Ten thousand random scripts do the same to the bus and to its model")
  func randomScripts() {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
    var nestedActions: [String: Int] = [:]
    var failures = 0
    for seed in chosen.map({ $0...$0 }) ?? 1...Self.count where failures < 3 {
      let model = Script(seed: seed) { ReferenceBus($0) }
      model.run()
      // Odd seeds on one kind of bus, even ones on the other; a chosen one on both.
      for kind in chosen == nil ? [BusKind.allCases[Int(seed % 2)]] : BusKind.allCases {
        let real = Script(seed: seed) { RealBus($0, kind.make()) }
        real.run()
        nestedActions.merge(real.nestedActions, uniquingKeysWith: +)
        guard real.trace != model.trace else { continue }
        failures += 1
        let common = zip(real.trace, model.trace).prefix { $0 == $1 }.map(\.0)
        expectNoDifference(
          Array(real.trace.dropFirst(common.count).prefix(10)),
          Array(model.trace.dropFirst(common.count).prefix(10)),
          """
          LIFECYCLE_SEED=\(seed), \(kind.testDescription), after
          \(common.joined(separator: "\n"))
          """
        )
      }
    }
    guard chosen == nil, failures == 0 else { return }
    // The scripts are worth their time only if every action is taken from inside callbacks.
    let actions = [
      "send", "add", "cancel", "scope", "end", "end at event", "end at phase", "request",
      "release", "look",
    ]
    for action in actions {
      #expect(nestedActions[action, default: 0] > 300, "\(action) hardly ever happens")
    }
  }
}

/// Random scripts, run on two buses that differ in nothing but whether a `sink` is the bus's own
/// subscriber, or one behind OpenCombine's `AnyPublisher`.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter Model` runs that seed alone.
@MainActor
@Suite("Model: sink and OpenCombine's")
struct SinkModelTests {
  private static let count: UInt64 = 3_000

  @Test("Three thousand random scripts do the same to a sink of the bus and behind AnyPublisher")
  func randomScripts() {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
    var sinkLines = 0
    for seed in chosen.map({ $0...$0 }) ?? 1...Self.count {
      // Odd seeds on one kind of bus, even ones on the other; a chosen one on both.
      for kind in chosen == nil ? [BusKind.allCases[Int(seed % 2)]] : BusKind.allCases {
        let own = trace(seed, kind, .own)
        let openCombine = trace(seed, kind, .openCombine)
        sinkLines += own.count { $0.contains("Sink") }
        expectNoDifference(own, openCombine, "LIFECYCLE_SEED=\(seed), \(kind.testDescription)")
        guard own == openCombine else { return }
      }
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

import CustomDump
import Foundation
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Random scripts, whose observers add, cancel, send, request and end scopes from inside their calls
/// and from inside the release of what they captured, run on a bus and on a simple model of one. Half
/// of them run once more with sinks behind OpenCombine's `AnyPublisher` in place of the bus's own.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter Model` runs that seed alone.
/// `LIFECYCLE_SCRIPTS=100000` runs so many scripts.
@MainActor
@Suite("Model")
struct ModelTests {
  #if DEBUG
    private static let count: UInt64 = 3_000
  #else
    private static let count: UInt64 = 10_000
  #endif

  @Test("A bus does what its model does in random scripts, with its sinks and OpenCombine's")
  func randomScripts() {
    let count = ProcessInfo.processInfo.environment["LIFECYCLE_SCRIPTS"].flatMap(UInt64.init)
    let seeds = seeds(count ?? Self.count)
    var nestedActions: [String: Int] = [:]
    var failures = 0
    for seed in seeds where failures < 3 {
      // Odd seeds on one kind of bus, even ones on the other; a chosen one on both.
      for kind in seeds.count > 1 ? [BusKind.allCases[Int(seed % 2)]] : BusKind.allCases {
        for sinks in RealBus.SinkKind.allCases where sinks == .own || seed % 4 < 2 {
          // OpenCombine's lets go of closures under way; the bus's keeps them until the event is over.
          let followsReleases = sinks == .own
          let model = Script(seed: seed, followsReleases: followsReleases) { ReferenceBus($0) }
          let real = Script(seed: seed, followsReleases: followsReleases) {
            RealBus($0, kind.make(), sinks: sinks)
          }
          model.run()
          real.run()
          nestedActions.merge(real.nestedActions, uniquingKeysWith: +)
          guard real.trace != model.trace else { continue }
          failures += 1
          let common = zip(real.trace, model.trace).prefix { $0 == $1 }.map(\.0)
          expectNoDifference(
            Array(real.trace.dropFirst(common.count).prefix(10)),
            Array(model.trace.dropFirst(common.count).prefix(10)),
            """
            LIFECYCLE_SEED=\(seed), \(kind.testDescription), \(sinks) sinks, after
            \(common.joined(separator: "\n"))
            """
          )
        }
      }
    }
    guard seeds.count >= Self.count, failures == 0 else { return }
    // The scripts are worth their time only if every action is taken from inside callbacks.
    let actions = [
      "send", "add", "cancel", "scope", "end", "end at event", "end at phase", "request",
      "release", "look",
    ]
    for action in actions {
      #expect(nestedActions[action, default: 0] > 100, "\(action) hardly ever happens")
    }
  }
}

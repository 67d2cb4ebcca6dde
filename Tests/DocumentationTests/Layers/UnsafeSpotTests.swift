import CustomDump
import Foundation
import Testing

/// Each place where the compiler no longer checks is in these tables. A new one needs a reason: a
/// comment beside it, and a benchmark if the reason is speed.
@Suite("The unsafe spots of the sources")
struct UnsafeSpotTests {
  enum Kind: CaseIterable, CustomTestStringConvertible {
    case cast, downcast, unmanaged, exclusivity, isolation, uncheckedSendable, uncheckedValue
    case unchecked, memory, runtimeSymbol

    /// The tokens of a spot, one after the other.
    var spellings: [[String]] {
      switch self {
      case .cast: [["unsafeBitCast"]]
      case .downcast: [["unsafeDowncast"]]
      case .unmanaged: [["Unmanaged"]]
      case .exclusivity: [["exclusivity", "(", "unchecked", ")"]]
      case .isolation: [["assumeIsolated"], ["nonisolated", "(", "unsafe", ")"]]
      case .uncheckedSendable: [["@", "unchecked", "Sendable"]]
      case .uncheckedValue: [["UncheckedSendable", "("]]
      case .unchecked: [["unowned", "(", "unsafe", ")"], ["unsafelyUnwrapped"]]
      case .memory:
        [
          ["unsafeUninitializedCapacity"], ["assumingMemoryBound"], ["bindMemory"],
          ["withMemoryRebound"], ["loadUnaligned"],
        ]
      case .runtimeSymbol: [["@", "_silgen_name"]]
      }
    }

    /// The number of spots in each file that has some.
    var expected: [String: Int] {
      switch self {
      case .cast: ["ReactiveLifecycle/Bus/Observers/ClosureCasts.swift": 3]
      case .downcast: ["ReactiveLifecycle/Operators/Engine/OperatorSubscription.swift": 1]
      case .unmanaged:
        [
          "Examples/lifecycle-tour/RecordingOption.swift": 1,
          "LifecycleSources/Process/Thread/SignalThread.swift": 2,
          "ReactiveLifecycle/Bus/Delivery/RunningRow.swift": 1,
        ]
      case .exclusivity: ["LifecycleCountdowns/CountdownCore.swift": 2]
      case .isolation:
        [
          "Examples/LocationReminder/LocationReminder.swift": 2,
          "Examples/LocationReminder/TrackReceiver.swift": 1,
          "ReactiveLifecycle/Bus/Observers/ClosureCasts.swift": 3,
          "ReactiveLifecycle/Support/MainQueue.swift": 1,
        ]
      case .uncheckedSendable:
        [
          "Examples/FeedRefresher/FeedDownload.swift": 2,
          "Examples/lifecycle-tour/ScreenBefore.swift": 1,
          "LifecycleCountdowns/CountdownCore.swift": 1,
          "ReactiveLifecycle/Bus/Delivery/ObserverRow.swift": 1,
          "ReactiveLifecycle/Bus/Delivery/OwnerRow.swift": 1,
          "ReactiveLifecycle/Bus/Delivery/ScopeEnding.swift": 1,
          "ReactiveLifecycle/Bus/Delivery/TranscriptRow.swift": 1,
          "ReactiveLifecycle/Bus/Exit/ExitRequestRow.swift": 2,
          "ReactiveLifecycle/Bus/Observers/ClosureRow.swift": 1,
          "ReactiveLifecycle/Bus/Observers/ListenerRow.swift": 1,
          "ReactiveLifecycle/Bus/Observers/ReturnRow.swift": 1,
          "ReactiveLifecycle/Bus/Streams/FeedRow.swift": 1,
          "ReactiveLifecycle/Bus/Streams/StreamRows.swift": 4,
          "ReactiveLifecycle/Bus/Streams/SubscriberRow.swift": 1,
          "ReactiveLifecycle/Operators/Settle/SettleRow.swift": 1,
          "ReactiveLifecycle/Subscriptions/CancellableBox.swift": 1,
          "ReactiveLifecycle/Subscriptions/EndAction.swift": 1,
          "ReactiveLifecycle/Subscriptions/ScopeCore.swift": 1,
          "ReactiveLifecycle/Subscriptions/ScopeEntry.swift": 1,
          "ReactiveLifecycle/Subscriptions/ScopeMemberBox.swift": 1,
          "ReactiveLifecycle/Subscriptions/ScopeTask.swift": 1,
          "ReactiveLifecycle/Support/UncheckedSendable.swift": 1,
        ]
      case .uncheckedValue:
        [
          "LifecycleSources/BackgroundWork/BGTaskSchedulerFetchHost.swift": 1,
          "LifecycleSources/NotificationCenter/NotificationCenterSource.swift": 1,
          "LifecycleSources/Process/Signals/DispatchSignals.swift": 1,
          "LifecycleSources/Process/Signals/SignalRelay.swift": 1,
          "LifecycleTesting/Recording/LifecycleRecorder+Making.swift": 1,
          "LifecycleTesting/Recording/PropertyTracker.swift": 6,
          "LifecycleTesting/Recording/RecorderCore.swift": 9,
          "ReactiveLifecycle/Bus/Observers/ClosureCasts.swift": 3,
          "ReactiveLifecycle/Operators/Engine/LifecycleOperator.swift": 1,
          "ReactiveLifecycle/Operators/Engine/OperatorSubscription.swift": 4,
          "ReactiveLifecycle/Timing/DispatchTimer.swift": 1,
        ]
      case .unchecked: [:]
      case .memory:
        [
          "Examples/JobControl/JobControlShell.swift": 1,
          "Examples/graceful-server/Sources/request-load/ClientSocket.swift": 1,
          "Examples/graceful-server/Tests/GracefulServerTests/ServiceManager.swift": 1,
          "LifecycleServices/Systemd/NotifyAddress.swift": 1,
          "LifecycleSystem/Memory/PressureFiles.swift": 1,
          "LifecycleTesting/Support/ElfFile.swift": 1,
        ]
      case .runtimeSymbol:
        [
          "LifecycleSupport/Locked.swift": 2,
          "LifecycleTesting/Expectations/PropertyName.swift": 1,
        ]
      }
    }

    var testDescription: String { spellings.map { $0.joined() }.joined(separator: ", ") }

    /// The lines on which the spots begin.
    func lines(in source: Source) -> [Int] {
      let tokens = source.tokens
      return spellings.flatMap { spelling in
        tokens.indices.filter {
          tokens[$0].text == spelling[0]
            && tokens[$0...].lazy.map(\.text).starts(with: spelling)
        }
      }.map { tokens[$0].line }
    }
  }

  struct Source {
    let text: String
    let tokens: [SwiftToken]

    init(_ text: String) {
      self.text = text
      tokens = SwiftTokens.tokens(of: text)
    }
  }

  /// The Swift files, by their path: those of the folder Sources without its name.
  private static let sources = Result {
    try Dictionary(
      uniqueKeysWithValues: ["Sources", "Examples"].flatMap { name in
        let folder = Sample.root.appending(path: name)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
          .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") && !$0.contains(".build") }
          .map { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return (name == "Sources" ? path : "\(name)/\(path)", Source(text))
          }
      }
    )
  }

  @Test("Each spot is in the table", arguments: Kind.allCases)
  func spotsAreInTheTable(_ kind: Kind) throws {
    let counts = try Self.sources.get().mapValues { kind.lines(in: $0).count }
      .filter { $0.value > 0 }
    expectNoDifference(counts, kind.expected)
  }

  @Test("Each `@unchecked Sendable` is explained by the comment above it")
  func uncheckedSendablesAreExplained() throws {
    let offenders = try Self.sources.get().flatMap { path, source in
      Self.unexplainedLines(in: source).map { "\(path):\($0)" }
    }
    expectNoDifference(offenders.sorted(), [])
  }

  /// The lines with `@unchecked Sendable` whose documentation does not say why.
  private static func unexplainedLines(in source: Source) -> [Int] {
    let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
    return Kind.uncheckedSendable.lines(in: source).filter { line in
      let comment = lines[..<(line - 1)].reversed()
        .prefix { $0.drop { $0 == " " }.hasPrefix("///") }
      return !comment.contains { $0.contains("`@unchecked Sendable`") }
    }
  }

  @Test("Comments and strings have no spots")
  func commentsAndStrings() {
    let source = Source(
      """
      /// `@unchecked Sendable`: unsafeBitCast
      let text = "@unchecked Sendable"
      struct Wrapper: @unchecked Sendable {}
      """
    )
    expectNoDifference(Kind.uncheckedSendable.lines(in: source), [3])
    expectNoDifference(Kind.cast.lines(in: source), [])
    expectNoDifference(Self.unexplainedLines(in: source), [3])
  }
}

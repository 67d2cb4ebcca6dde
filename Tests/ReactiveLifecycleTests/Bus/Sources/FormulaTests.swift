import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The phase is the least of the ceilings that have spoken and of the most forward participant that has.
@MainActor
@Suite("Several sources: the formula")
struct FormulaTests {
  enum Voice: CaseIterable {
    case application, participant, otherParticipant, ceiling, otherCeiling

    var role: LifecycleRole {
      switch self {
      case .application: .presence
      case .participant: .participant("main window")
      case .otherParticipant: .participant("second window")
      case .ceiling, .otherCeiling: .ceiling
      }
    }

    var isCeiling: Bool { role == .ceiling }
  }

  /// How each phase is said in one word, upward.
  static let words: [(phase: LifecyclePhase, kind: LifecycleEvent.Kind)] = [
    (.background, .didFinishLaunching),
    (.inactive, .willEnterForeground),
    (.active, .didBecomeActive),
  ]

  private func formula(_ says: [(voice: Voice, phase: LifecyclePhase)]) -> LifecyclePhase {
    let participants = says.filter { !$0.voice.isCeiling }.map(\.phase)
    let ceilings = says.filter(\.voice.isCeiling).map(\.phase)
    let all = ceilings + (participants.isEmpty ? [] : [participants.max()!])
    return all.min() ?? .unknown
  }

  /// Lets the voices speak in turn, and looks after each.
  private func speak(
    _ says: [(voice: Voice, kind: LifecycleEvent.Kind, phase: LifecyclePhase)],
    on kind: BusKind
  ) throws {
    let bus = kind.make()
    var connections: [LifecycleCancellable] = []
    var sources: [TestSource] = []
    for (voice, _, _) in says {
      let source = TestSource("voice")
      connections.append(try bus.connect(source, as: voice.role))
      sources.append(source)
    }
    for (index, say) in says.enumerated() {
      sources[index].input.send(say.kind)
      let expected = formula(says.prefix(index + 1).map { ($0.voice, $0.phase) })
      if bus.phase != expected {
        Issue.record("\(says.prefix(index + 1)): \(bus.phase), not \(expected)")
      }
    }
    // Gone in the same order: the others decide, and the last one's word stays.
    for index in says.indices {
      connections[index].cancel()
      let rest = says.dropFirst(index + 1).map { ($0.voice, $0.phase) }
      let expected = formula(rest.isEmpty ? says.suffix(1).map { ($0.voice, $0.phase) } : rest)
      if bus.phase != expected {
        Issue.record("\(says) without the first \(index + 1): \(bus.phase), not \(expected)")
      }
    }
  }

  @Test("Every pair and triple of voices and phases, in every order", arguments: BusKind.allCases)
  func pairsAndTriples(_ kind: BusKind) throws {
    let sayings = Voice.allCases.flatMap { voice in
      Self.words.map { (voice: voice, kind: $0.kind, phase: $0.phase) }
    }
    var count = 0
    for first in sayings {
      for second in sayings where second.voice != first.voice {
        try speak([first, second], on: kind)
        count += 1
        for third in sayings where third.voice != first.voice && third.voice != second.voice {
          try speak([first, second, third], on: kind)
          count += 1
        }
      }
    }
    expectNoDifference(count, 15 * 12 + 15 * 12 * 9)
  }

  @Test(
    "A first word that looks down says the same as one that looks up",
    arguments: Voice.allCases
  )
  func firstWordDownward(_ voice: Voice) throws {
    let downward: [(phase: LifecyclePhase, kind: LifecycleEvent.Kind)] = [
      (.background, .didEnterBackground), (.inactive, .willResignActive),
    ]
    for other in Voice.allCases where other != voice {
      for (phase, kind) in Self.words {
        for (ownPhase, ownKind) in downward {
          try speak([(other, kind, phase), (voice, ownKind, ownPhase)], on: .nonisolated)
        }
      }
    }
  }
}

import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Scripts on whole buses, against the events that an observer saw.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter BusHistoryScript` runs that seed
/// alone.
@MainActor
@Suite("The history of a bus: scripts")
struct BusHistoryScriptTests {
  private final class Run {
    let clock = ManualClock(
      LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    )
    let bus: any LifecycleBusProtocol
    private let seen: Collector<LifecycleEvent>
    private let token: LifecycleSubscription
    private var history = HistoryOracle()
    private var noted = 0
    var failures: [String] = []

    init(_ kind: BusKind) {
      let seen = Collector<LifecycleEvent>()
      bus = kind.make(clock: clock)
      token = bus.addObserver { seen($0) }
      self.seen = seen
    }

    var oracle: HistoryOracle {
      let events = seen.values
      for event in events[noted...] where event.phase != event.previousPhase {
        let time = event.instant.continuous.timeSinceBoot
        history.note(event.phase, at: Int(time.components.seconds))
      }
      noted = events.count
      return history
    }

    /// Whether the first change is no longer remembered.
    var forgot: Bool {
      let first = seen.values.first { $0.phase != $0.previousPhase }
      return bus.historyStart.map { $0 > first!.instant.continuous } == true
    }

    var now: Int { Int(clock.continuous.timeSinceBoot.components.seconds) }

    func send(_ kind: LifecycleEvent.Kind, _ shift: Int) {
      var instant = clock.now
      instant.continuous += .seconds(shift)
      bus.send(kind, at: shift == 0 ? nil : instant)
    }

    func ask(from begin: Int, to end: Int) {
      let oracle = self.oracle
      let range = (.boot + .seconds(begin))..<(ContinuousInstant.boot + .seconds(end))
      func check<Value: Equatable>(_ question: String, _ value: Value, _ expected: Value) {
        guard value != expected else { return }
        failures.append("\(question) \(begin)..<\(end) now \(now): \(value), not \(expected)")
      }
      check("start", bus.historyStart, oracle.start.map { .boot + .seconds($0) })
      check("phase", bus.phase(at: .boot + .seconds(begin)), oracle.phase(at: begin, now: now))
      check("phase", bus.phase(at: .boot + .seconds(end)), oracle.phase(at: end, now: now))
      check(
        "foreground",
        bus.foregroundDuration(during: range),
        oracle.foreground(begin..<end, now: now).map { .seconds($0) }
      )
      check(
        "background",
        bus.backgroundDuration(during: range),
        oracle.background(begin..<end, now: now).map { .seconds($0) }
      )
    }
  }

  @Test("Every sequence of up to three inputs with every gap", arguments: BusKind.allCases)
  func everySequence(_ kind: BusKind) {
    let kinds = PhaseOracle.transitions + [.systemDidWake]
    let gaps = [(advance: 0, shift: 0), (advance: 2, shift: 0), (advance: 2, shift: -3)]
    let inputs = kinds.flatMap { kind in gaps.map { gap in (kind: kind, gap: gap) } }
    var failed = 0
    for length in 1...3 {
      var indices = Array(repeating: 0, count: length)
      repeat {
        let run = Run(kind)
        run.clock.advance(by: .seconds(5))
        for index in indices {
          run.clock.advance(by: .seconds(inputs[index].gap.advance))
          run.send(inputs[index].kind, inputs[index].gap.shift)
        }
        run.clock.advance(by: .seconds(2))
        for (begin, end) in [(0, 0), (2, 14), (5, 9), (6, 8), (7, 7), (9, 20), (13, 15)] {
          run.ask(from: begin, to: end)
        }
        if !run.failures.isEmpty, failed < 3 {
          failed += 1
          Issue.record("\(indices.map { inputs[$0] }): \(run.failures)")
        }
      } while increment(&indices, below: inputs.count)
    }
  }

  private func increment(_ digits: inout [Int], below base: Int) -> Bool {
    for position in digits.indices.reversed() {
      digits[position] += 1
      if digits[position] < base { return true }
      digits[position] = 0
    }
    return false
  }

  @Test("A thousand random scripts")
  func randomScripts() {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
    let kinds = PhaseOracle.transitions.dropLast() + [.systemDidWake]
    var (failed, forgetful, answered) = (0, 0, 0)
    for seed in chosen.map({ $0...$0 }) ?? 1...1_000 where failed < 3 {
      var generator = Generator(seed, 0, 0)
      let run = Run(BusKind.allCases[Int(seed % 2)])
      // One in ten is long, and dense enough that something is forgotten.
      let isLong = seed.isMultiple(of: 10)
      let length = isLong ? 500 : 40
      for _ in 0..<length {
        if isLong { run.clock.advance(by: .seconds(1)) }
        switch generator.next(below: isLong ? 30 : 10) {
        case 0: run.clock.sleepDevice(for: .seconds(generator.next(below: 9)))
        case 1: run.clock.stopProcess(for: .seconds(generator.next(below: 9)))
        case 2: run.clock.setWallClock(by: .seconds(generator.next(below: 9) * 1000 - 4000))
        case 3...5: run.clock.advance(by: .seconds(generator.next(below: 3)))
        default:
          let isEnd = generator.next(below: 4 * length) == 0
          let shift =
            generator.next(below: isLong ? 30 : 6) == 0 ? generator.next(below: 15) - 10 : 0
          run.send(isEnd ? .willTerminate : kinds[generator.next(below: kinds.count)], shift)
        }
        guard generator.next(below: isLong ? 20 : 4) == 0 else { continue }
        let begin = generator.next(below: run.now + 8)
        run.ask(from: begin, to: begin + generator.next(below: 30))
      }
      let start = run.oracle.start
      for begin in [0, start ?? 0, (start ?? 1) - 1] {
        run.ask(from: begin, to: run.now + 2)
        let start = ContinuousInstant.boot + .seconds(begin)
        if run.bus.foregroundDuration(during: start..<run.clock.continuous) != nil {
          answered += 1
        }
      }
      if run.forgot { forgetful += 1 }
      guard !run.failures.isEmpty else { continue }
      failed += 1
      Issue.record("LIFECYCLE_SEED=\(seed): \(run.failures.prefix(5))")
    }
    guard chosen == nil, failed == 0 else { return }
    #expect(forgetful > 20, "hardly any script is long enough for something to be forgotten")
    #expect(answered > 500, "there is hardly ever an answer")
  }
}

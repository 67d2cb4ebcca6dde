import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Random scripts in virtual time, with fetches that overlap, against a reference that knows only who
/// said what when.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter BackgroundFetchRandom` runs that
/// seed alone.
@Suite("Background fetch: random scripts")
@MainActor
struct BackgroundFetchRandomTests {
  /// A fetch as the reference sees it.
  struct Reference {
    let number: Int
    let start: Int
    let deadline: Int
    /// The handlers, and what each has said; nil while it has not.
    var parts: [(name: String, answer: (BackgroundFetchResult, Int)?)]

    /// What was told of it, if it ends at that time.
    func line(at time: Int) -> String {
      let results = parts.map { $0.answer?.0 ?? .failed }
      let result: BackgroundFetchResult =
        results.contains(.newData) ? .newData : results.contains(.failed) ? .failed : .noData
      let texts = parts.map { part in
        let (said, when) = part.answer.map { ($0.0.rawValue, $0.1) } ?? ("missed", time)
        return "\(part.name) \(said) \(when - start)"
      }
      return "\(number) \(result.rawValue) \(time - start): \(texts.joined(separator: ", "))"
    }
  }

  private nonisolated func line(_ report: BackgroundFetchReport) -> String {
    func seconds(_ duration: Duration) -> Int64 { duration.components.seconds }
    let texts = report.handlers.map { handler -> String in
      var said = handler.result.fetchResult.rawValue
      if case .failed(let error as BackgroundFetchError) = handler.result,
        error == .deadlineMissed
      {
        said = "missed"
      }
      return "\(handler.name) \(said) \(seconds(handler.duration))"
    }
    return """
      \(report.number) \(report.result.rawValue) \(seconds(report.duration)): \
      \(texts.joined(separator: ", "))
      """
  }

  @Test("Random scripts of overlapping fetches agree with a reference")
  func randomScripts() {
    var steps: [String: Int] = [:]
    var failures = 0
    for seed in seeds(300) where failures < 3 {
      var random = SeededGenerator(seed: seed)
      let stage = BackgroundFetchStage(onAnyThread: seed.isMultiple(of: 2))
      let received = Collector<String>()
      var expected: [String] = []
      var handlers: [(name: String, registration: LifecycleCancellable)] = []
      var running: [Reference] = []
      /// The number of times that each handler was run.
      var runsOf: [String: Int] = [:]
      var time = 0
      var names = 0
      var number = 0

      /// Takes note of those that are complete now.
      func settle() {
        for fetch in running where fetch.parts.allSatisfy({ $0.answer != nil }) {
          expected.append(fetch.line(at: time))
        }
        running.removeAll { $0.parts.allSatisfy { $0.answer != nil } }
      }

      for _ in 0..<40 {
        let step = Int.random(in: 0..<10, using: &random)
        switch step {
        case 0:
          names += 1
          handlers.append(("h\(names)", stage.register("h\(names)")))
          steps["add", default: 0] += 1
        case 1 where !handlers.isEmpty:
          let index = Int.random(in: handlers.indices, using: &random)
          let (name, registration) = handlers.remove(at: index)
          registration.cancel()
          for index in running.indices {
            running[index].parts.removeAll { $0.name == name && $0.answer == nil }
          }
          settle()
          steps["remove", default: 0] += 1
        case 2, 3:
          number += 1
          for (name, _) in handlers {
            // One that is running is not run again.
            let isRunning = running.contains { fetch in
              fetch.parts.contains { $0.name == name && $0.answer == nil }
            }
            if !isRunning { runsOf[name, default: 0] += 1 }
          }
          let length = Int.random(in: 1...9, using: &random)
          let queue = stage.fetches.queue
          queue.begin(queue.makeNumber(), deadline: .seconds(length)) { received(line($0)) }
          stage.clock.advance(by: .zero)
          running.append(
            Reference(
              number: number,
              start: time,
              deadline: time + length,
              parts: handlers.map { ($0.name, nil) }
            )
          )
          settle()
          steps["fetch", default: 0] += 1
        case 4, 5, 6, 7:
          let open = running.flatMap { $0.parts.filter { $0.answer == nil }.map(\.name) }
          guard let name = open.randomElement(using: &random) else { continue }
          let result = BackgroundFetchResult.allCases.randomElement(using: &random)!
          let handlerResult: BackgroundFetchReport.HandlerResult =
            switch result {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed(FetchTrouble())
            }
          stage.answer(name, handlerResult, runsOf[name]! - 1)
          for fetch in running.indices {
            for part in running[fetch].parts.indices
            where running[fetch].parts[part].name == name
              && running[fetch].parts[part].answer == nil
            {
              running[fetch].parts[part].answer = (result, time)
            }
          }
          settle()
          steps["answer", default: 0] += 1
        default:
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            stage.clock.advance(by: .seconds(1))
            time += 1
            // By the order of their timers.
            let due = running.filter { $0.deadline == time }
            expected += due.map { $0.line(at: time) }
            running.removeAll { $0.deadline == time }
          }
          steps["wait", default: 0] += 1
        }
        guard received.values != expected else { continue }
        failures += 1
        expectNoDifference(received.values, expected, "LIFECYCLE_SEED=\(seed)")
        break
      }
      // Those that are complete have no timer any more.
      #expect(failures > 0 || stage.clock.timerCount == running.count, "LIFECYCLE_SEED=\(seed)")
      withExtendedLifetime((stage, handlers)) {}
    }
    for (step, count) in steps { #expect(count > 100 || seeds(300).count == 1, "\(step)") }
  }
}

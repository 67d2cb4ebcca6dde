import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Random scripts in virtual time, with real jobs, compared with the rules of `DeferredWorkOracle` and
/// a list of when jobs are done.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter DeferredWork` runs that seed alone.
@MainActor
@Suite("Deferred work: random scripts")
struct DeferredWorkRandomTests {
  /// The rules, with time: each job takes 3 s.
  struct Model {
    var oracle = DeferredWorkOracle()
    var now = 0
    var start = 0

    mutating func feed(_ input: DeferredWorkOracle.Input) -> [String] {
      note(oracle.feed(input)) + settle()
    }

    mutating func move(by seconds: Int) -> [String] {
      var lines: [String] = []
      for _ in 0..<seconds {
        now += 1
        if let job = oracle.running, now - start == 3 {
          lines.append("\(job.id) finished 3 s")
          lines += note(oracle.feed(.returns)) + settle()
        }
      }
      return lines
    }

    /// What comes of it without time: cancelled jobs throw, and wakes finish.
    private mutating func settle() -> [String] {
      var lines: [String] = []
      while oracle.isAwake, oracle.isClosed {
        if let job = oracle.running {
          lines += ["\(job.id) cancelled", "\(job.id) interrupted \(now - start) s"]
          lines += note(oracle.feed(.throwsError))
        } else {
          lines += note(oracle.feed(.finish))
        }
      }
      return lines
    }

    private mutating func note(_ lines: [String]) -> [String] {
      lines.compactMap { line in
        guard let id = line.split(separator: " ").first, id == "a" || id == "b" else { return nil }
        start = now
        return "\(id) begins"
      }
    }
  }

  @Test("Random scripts of jobs and wakes agree with the rules")
  func randomScripts() {
    var interruptions = 0
    for seed in seeds(200) {
      var random = Generator(seed, 0, 0)
      let stage = DeferredWorkStage()
      var model = Model()
      var log: [String] = []
      for _ in 1...50 {
        var expected: [String] = []
        switch random.next(below: 12) {
        case 0...1:
          log.append("a")
          expected = model.feed(.enqueueA)
          stage.enqueue("a", 3)
        case 2...3:
          log.append("b")
          expected = model.feed(.enqueueB)
          stage.enqueue("b", 3)
        case 4...7:
          log.append("wake")
          expected = model.feed(.event)
          stage.bus.send(.systemDidWake)
        case 8:
          log.append("expire")
          expected = model.feed(.expire)
          stage.host.expire()
        default:
          let seconds = random.next(below: 4) + 1
          log.append("move \(seconds)")
          expected = model.move(by: seconds)
          stage.move(seconds)
        }
        stage.run()
        let pending = stage.queue?.pendingJobs.joined() ?? ""
        let said = stage.take() + ["pending \(pending), tasks \(stage.host.openTasks.count)"]
        let jobs = model.oracle.jobs
        let kept = (jobs.filter(\.isOfWake) + jobs.filter { !$0.isOfWake }).map(\.id).joined()
        expected += ["pending \(kept), tasks \(model.oracle.isAwake ? 1 : 0)"]
        interruptions += said.contains { $0.contains("interrupted") } ? 1 : 0
        guard said != expected else { continue }
        expectNoDifference(said, expected, "LIFECYCLE_SEED=\(seed), after \(log)")
        break
      }
      stage.release()
      stage.run()
      stage.host.expectNoOpenTasks()
    }
    #expect(interruptions > 50 || seeds(200).count == 1)
  }
}

import CustomDump
import Foundation
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The double against the real thing: journals on both say, and write, the same.
@Suite("The in-memory file system is like the real one")
struct FileSystemComparisonTests {
  @Test("Random runs of programs, 300 seeds", arguments: 0..<6)
  func randomScripts(block: Int) {
    for seed in block * 50..<block * 50 + 50 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let steps = (0..<30).map { _ in JournalStep.random(&generator) }
      let memory = JournalScript(InMemoryFileSystem())
      let real = JournalScript(RealFileSystem())
      for (index, step) in steps.enumerated() {
        let (inMemory, onDisk) = (memory.run(step), real.run(step))
        let (inMemoryFiles, filesOnDisk) = (memory.contents, real.contents)
        guard inMemory == onDisk, inMemoryFiles == filesOnDisk else {
          Issue.record("Seed \(seed), step \(index + 1): \(step)")
          expectNoDifference(inMemory, onDisk)
          expectNoDifference(inMemoryFiles, filesOnDisk)
          return
        }
      }
    }
  }

  @Test("Random runs meet every outcome")
  func everyOutcomeIsMet() {
    var met: Set<String> = []
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let script = JournalScript(InMemoryFileSystem())
      for _ in 0..<30 {
        let line = script.run(.random(&generator))
        for exit in LifecycleJournal.PreviousExit.allCases
        where line.contains("before: \(exit),") { met.insert(exit.rawValue) }
        for outcome in ["is in use by process", "failure:", "No space left", "copied to"]
        where line.contains(outcome) { met.insert(outcome) }
      }
    }
    let exits = LifecycleJournal.PreviousExit.allCases.map(\.rawValue)
    let others = ["is in use by process", "failure:", "No space left", "copied to"]
    expectNoDifference(met, Set(exits + others))
  }

  /// What leads to an outcome, and what the last step says.
  private static let openings: [([JournalStep], String)] = [
    ([.open], "run 1, before: firstLaunch, -, -, a: -1"),
    ([.replace([]), .open], "run 1, before: firstLaunch, -, -, a: -1"),
    (
      [.open, .send(.didBecomeActive), .end, .advance(seconds: 4), .open],
      "run 2, before: endedProperly, 4.0 seconds, -, a: -1"
    ),
    (
      [.open, .send(.willTerminate), .advance(seconds: 4), .open],
      "run 2, before: endedProperly, 4.0 seconds, -, a: -1"
    ),
    (
      [.open, .send(.didEnterBackground), .set(key: "a", size: 3), .release, .open],
      "run 2, before: killedInBackground, 0.0 seconds, -, a: 3"
    ),
    (
      [.open, .send(.didBecomeActive), .advance(seconds: 90), .open],
      "run 2, before: killedInForeground, 90.0 seconds, -, a: -1"
    ),
    (
      [.open, .send(.didBecomeActive), .advance(seconds: 90), .restartMachine, .open],
      "run 2, before: machineRestarted, 90.0 seconds, -, a: -1"
    ),
    (
      [.open, .send(.didBecomeActive), .release, .flip(offset: 4096 + 30, mask: 4), .open],
      """
      run 2, before: unknown, -, /state is damaged or is not a journal: at byte 4189, the checksum \
      is wrong, so the record has changed since it was written. Its bytes were copied to \
      /state.damaged, and a new journal was created., a: -1
      """
    ),
    (
      [.replace([1, 2, 3]), .fail(.copy, errno: ENOSPC), .open],
      """
      /state is damaged or is not a journal: at byte 0, a journal record was expected but not \
      found. The file was left unchanged because its bytes can't be copied to a new file next to \
      it: No space left on device. Move the file, or resolve that error.
      """
    ),
    (
      [.open, .openSecond],
      """
      The journal /state is in use by process \(getpid()). Close it there, or use a separate file \
      for each process.
      """
    ),
    (
      [.fail(.open, errno: ENOSPC), .open],
      "The journal /state can't be opened: No space left on device. Free some space."
    ),
    (
      [.open, .fail(.write, errno: ENOSPC), .send(.willEnterForeground)],
      """
      delivered
      failure: The journal /state can't be written to: No space left on device. Its earlier \
      records are kept, and it tries again with the next record. Free some space.
      """
    ),
    (
      [.open, .send(.didBecomeActive), .cut(after: 60), .send(.willResignActive), .open],
      "run 2, before: killedInForeground, 0.0 seconds, -, a: -1"
    ),
    (
      [.open, .send(.didBecomeActive), .cut(after: 4096), .set(key: "a", size: 9), .open],
      "run 2, before: killedInForeground, 0.0 seconds, -, a: 9"
    ),
  ]

  @Test("Each outcome of an opening", arguments: 0..<14)
  func eachOutcomeOfOpening(_ index: Int) {
    let (steps, expected) = Self.openings[index]
    let memory = JournalScript(InMemoryFileSystem())
    let real = JournalScript(RealFileSystem())
    expectNoDifference(steps.map(memory.run).last, expected)
    expectNoDifference(steps.map(real.run).last, expected)
    expectNoDifference(memory.contents, real.contents)
  }
}

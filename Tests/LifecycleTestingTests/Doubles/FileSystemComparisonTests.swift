import CustomDump
import Foundation
import LifecycleCore
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// The double against the real thing: journals on both say, and write, the same.
@Suite("The in-memory file system is like the real one")
struct FileSystemComparisonTests {
  // Each write waits for the drive. More seeds only repeat: the exits show that each has all of them.
  @Test("Journals on both report and write the same in 60 random runs", arguments: 0..<3)
  func randomScripts(block: Int) {
    var exits: Set<String> = []
    for seed in block * 20..<block * 20 + 20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let memory = JournalScript(InMemoryFileSystem())
      let real = JournalScript(RealFileSystem())
      for number in 1...30 {
        let step = JournalStep.random(&generator)
        let (inMemory, onDisk) = (memory.run(step), real.run(step))
        let (inMemoryFiles, filesOnDisk) = (memory.contents, real.contents)
        guard inMemory == onDisk, inMemoryFiles == filesOnDisk else {
          Issue.record("Seed \(seed), step \(number): \(step)")
          expectNoDifference(inMemory, onDisk)
          expectNoDifference(inMemoryFiles, filesOnDisk)
          return
        }
        if let exit = inMemory.firstMatch(of: /before: (\w+),/) { exits.insert(String(exit.1)) }
      }
    }
    expectNoDifference(exits, Set(LifecycleJournal.PreviousExit.allCases.map(\.rawValue)))
  }
}

/// Something that a program with a journal does, or that happens to its file.
private enum JournalStep {
  case open
  case openSecond
  case send(LifecycleEvent.Kind)
  case set(key: String, size: Int?)
  case advance(seconds: Int)
  case restartMachine
  case update
  case end
  case release
  case flip(offset: Int, mask: UInt8)
  case replace([UInt8]?)

  static func random(_ generator: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<21, using: &generator) {
    case 0...5: .open
    case 6: .openSecond
    case 7...9:
      .send(
        [.didBecomeActive, .didEnterBackground, .willEnterForeground, .willTerminate]
          .randomElement(using: &generator)!
      )
    case 10...12:
      .set(
        key: ["a", "b"].randomElement(using: &generator)!,
        size: [nil, 1, 100, 2000, 5000].randomElement(using: &generator)!
      )
    case 13: .advance(seconds: Int.random(in: 0...90, using: &generator))
    case 14: .restartMachine
    case 15: .end
    case 20: .update
    case 16...17: .release
    case 18:
      .flip(
        offset: Int.random(in: 0...1, using: &generator) * 4096
          + Int.random(in: 0..<180, using: &generator),
        mask: 1 << UInt8.random(in: 0..<8, using: &generator)
      )
    default:
      .replace(
        [
          nil, [], [7, 7, 7], [UInt8](repeating: 0, count: 8192),
          [UInt8](repeating: 3, count: 9000),
        ]
        .randomElement(using: &generator)!
      )
    }
  }
}

/// A file system that scripts run on.
private protocol ScriptedFileSystem {
  var storage: JournalFileSystem { get }
  /// What the paths begin with; the journal is `/state` below it.
  var root: String { get }
  /// The paths below the root.
  var names: [String] { get }
  func contents(of name: String) -> [UInt8]?
  func setContents(_ bytes: [UInt8]?, of name: String)
}

extension InMemoryFileSystem: ScriptedFileSystem {
  fileprivate var storage: JournalFileSystem { .inMemory(self) }
  fileprivate var root: String { "" }
  fileprivate var names: [String] { paths }
}

/// The system's file system in a directory of its own.
private final class RealFileSystem: ScriptedFileSystem {
  private let folder = TemporaryDirectory()
  var storage: JournalFileSystem { .system }
  var root: String { folder.path }
  var names: [String] { folder.names.map { "/" + $0 } }

  func contents(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: root + name).map(Array.init)
  }

  /// In place, so that whoever has it open sees it.
  func setContents(_ bytes: [UInt8]?, of name: String) {
    guard let bytes else {
      unlink(root + name)
      return
    }
    let descriptor = open(root + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written != bytes.count { Issue.record("The file was not written.") }
    close(descriptor)
  }
}

/// A program that keeps a journal, run by steps.
private final class JournalScript<FileSystem: ScriptedFileSystem> {
  let files: FileSystem
  private var clock = ManualClock()
  private lazy var bus = NonisolatedLifecycleBus(clock: clock)
  private var journal: LifecycleJournal?
  private var version = 1
  private let failures = Collector<LifecycleJournal.WriteError>()
  private let name = "/state"

  init(_ files: FileSystem) { self.files = files }

  /// - Returns: What can be seen of it.
  func run(_ step: JournalStep) -> String {
    var lines = [perform(step)]
    lines += failures.take().map { "failure: \($0)" }
    return lines.joined(separator: "\n").replacingOccurrences(of: files.root + "/", with: "/")
  }

  /// All files, by their names.
  var contents: [String: [UInt8]] {
    Dictionary(
      uniqueKeysWithValues: files.names.map { ($0, files.contents(of: $0) ?? []) }
    )
  }

  private func perform(_ step: JournalStep) -> String {
    switch step {
    case .open:
      journal = nil
      bus = NonisolatedLifecycleBus(clock: clock)
      return open { journal = $0 }
    case .openSecond:
      return open { _ in }
    case .send(let kind):
      return "\(bus.send(kind))"
    case .set(let key, let size):
      guard let journal else { return "closed" }
      do throws(LifecycleJournal.WriteError) {
        try journal.set(size.map { String(repeating: "v", count: $0) }, forKey: key)
      } catch {
        return "\(error)"
      }
      return "\((try? journal.value(String.self, forKey: key))??.count ?? -1)"
    case .advance(let seconds):
      clock.advance(by: .seconds(seconds))
    case .restartMachine:
      journal = nil
      clock = ManualClock(clock.now, bootID: BootID(rawValue: "\(clock.bootID!.rawValue)+"))
    case .update:
      journal = nil
      version += 1
    case .end:
      journal?.end()
    case .release:
      journal = nil
    case .flip(let offset, let mask):
      guard var bytes = files.contents(of: name), offset < bytes.count else { return "none" }
      bytes[offset] ^= mask
      files.setContents(bytes, of: name)
    case .replace(let bytes):
      files.setContents(bytes, of: name)
    }
    return "done"
  }

  private func open(_ keep: (LifecycleJournal) -> Void) -> String {
    do throws(LifecycleJournal.OpenError) {
      let journal = try LifecycleJournal(
        at: files.root + "/state",
        of: bus,
        version: "\(version)",
        fileSystem: files.storage,
        onWriteFailure: { [failures] in failures($0) }
      )
      keep(journal)
      return """
        run \(journal.runNumber), before: \(journal.previousRun.exit), \
        \(journal.previousRun.timeAway.map { "\($0)" } ?? "-"), \
        \(journal.previousRun.damage.map { "\($0)" } ?? "-"), \
        a: \((try? journal.value(String.self, forKey: "a"))??.count ?? -1)
        """
    } catch {
      return "\(error)"
    }
  }
}

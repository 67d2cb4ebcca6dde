import LifecycleSupport
import ReactiveLifecycle

/// The runs of this process whose journals were released, which may happen during the return from
/// `main`. They end with the process, unless their file has another owner by then.
enum UnrecordedRuns {
  private struct Run {
    let number: UInt64
    let clock: any LifecycleClock
  }

  private static let runs = Locked<[String: Run]>([:])
  private static let exitAction = ProcessExit.Action {
    for (path, run) in runs.withLock({ $0 }) { end(run, at: path) }
  }

  static func add(_ number: UInt64, at path: String, _ clock: any LifecycleClock) {
    runs.discard { $0.updateValue(Run(number: number, clock: clock), forKey: path) }
    exitAction.add()
  }

  private static func end(_ run: Run, at path: String) {
    let now = run.clock.now
    guard let file = try? OpenFile(path, O_RDWR | O_NONBLOCK),
      (try? file.claim(yieldsLock: false)) == true, (try? file.lock()) == true,
      case .record(var record, let generation)? = try? OpenedJournal.contents(of: file),
      record.run == run.number, record.processID == getpid(), !record.hasEnded
    else { return }
    let machine = JournalMachine(record, generation: generation)
    record.hasEnded = true
    record.addSignOfLife(now)
    try? OpenedJournal.perform(machine.write(of: record), file)
  }
}

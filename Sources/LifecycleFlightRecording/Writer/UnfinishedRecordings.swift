import LifecycleSupport
import ReactiveLifecycle

/// The files whose writing ended before the process, which may happen during the return from
/// `main`.
///
/// When the process exits, they get an end as their last record, unless another program or another
/// recorder has changed the file.
enum UnfinishedRecordings {
  private struct Unfinished {
    var output: RecordingOutput
    let inode: ino_t
    let process = getpid()
  }

  private static let all = Locked<[String: Unfinished]>([:])
  private static let exitAction = ProcessExit.Action {
    for unfinished in all.withLock({ $0 }).values where unfinished.process == getpid() {
      try? finish(unfinished)
    }
  }

  /// - Parameters:
  ///   - output: An output whose file is still open.
  ///   - instant: The present instant. What happens after it is not known, and is no part of a stay
  ///     in the background.
  static func add(_ output: RecordingOutput, endingAt instant: LifecycleInstant) {
    guard !output.machine.hasEnded, !output.isDisturbed,
      let inode = try? output.file?.status.st_ino
    else { return }
    var output = output
    output.file = nil
    output.machine.add([FlightRecord(.ended, at: instant)])
    let unfinished = Unfinished(output: output, inode: inode)
    all.discard { $0.updateValue(unfinished, forKey: output.series.location) }
    exitAction.add()
  }

  private static func finish(_ unfinished: Unfinished) throws(SystemError) {
    var output = unfinished.output
    let file = try SystemFile(output.series.location, O_RDWR | O_APPEND)
    guard try file.lock(), try file.status.st_ino == unfinished.inode else { return }
    output.file = file
    if output.isDisturbed { return }
    repeat { try output.open() } while try output.step() != nil
  }
}

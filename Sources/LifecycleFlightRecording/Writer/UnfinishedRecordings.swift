import LifecycleSupport
import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The files whose writing ended before the process, which may happen during the return from `main`.
///
/// When the process exits, they get an end as their last record, unless another program or another
/// recorder has changed the file.
enum UnfinishedRecordings {
  private struct Unfinished {
    var output: RecordingOutput
    let inode: ino_t
    let recorder: FlightRecorder.Identity
  }

  private static let all = Locked<[String: Unfinished]>([:])
  private static let exitAction = ProcessExit.add {
    for unfinished in all.withLock({ $0 }).values { try? finish(unfinished) }
  }

  /// - Parameter output: An output whose file is still open.
  static func add(_ output: RecordingOutput, of recorder: FlightRecorder) {
    guard !output.machine.hasEnded, !output.isDisturbed,
      let inode = try? output.file?.status.st_ino
    else { return }
    var output = output
    output.file = nil
    // What happens from now on is not known. It is no part of a stay in the background.
    output.machine.add([FlightRecord(.ended, at: recorder.core.clock.now)])
    let unfinished = Unfinished(output: output, inode: inode, recorder: recorder.identity)
    all.discard { $0.updateValue(unfinished, forKey: output.series.location) }
    _ = exitAction
  }

  /// Removes the recordings of a recorder, which go on in another file.
  static func remove(of recorder: FlightRecorder) {
    let identity = recorder.identity
    all.discard { all in
      defer { all = all.filter { $0.value.recorder !== identity } }
      return all
    }
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

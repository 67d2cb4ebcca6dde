import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import LifecycleSupport

/// Records a bus continuously, and sends events to it as fast as it can, until it is killed, or
/// until it has sent that many.
struct Recording: ParsableCommand {
  @Argument var path: String

  @Option(help: "The size of a file in bytes.")
  var rotatingAt = 10_000_000

  @Option(help: "The number of older files.")
  var keeping = 3

  @Option(help: "The number of records that the recorder keeps.")
  var capacity = 10_000

  @Option(help: "The number of events to send; without it, until the end.")
  var count = Int.max

  @Flag(help: "Pauses a millisecond after each event.")
  var pauses = false

  @Option(help: "How far files may be written, in bytes.")
  var fileSizeLimit: UInt?

  @Flag(help: "Leaves it to the library to report failures, on the standard output.")
  var reports = false

  @Flag(help: "Waits for a line of the input before it ends.")
  var waits = false

  @Flag(help: "Waits to be killed.")
  var hold = false

  @Option(
    help: "How it ends: `cancel`, `return`, `exit`, `_exit`, `child`, or `continued` by others."
  )
  var end = "cancel"

  @Option(help: "The path of a file for what was recorded, which is written at the end.")
  var whole: String?

  @Option(help: "The sizes of the files that others write, to that path with `-1`, `-2`, ….")
  var others: [Int] = []

  func run() throws {
    for (index, size) in others.enumerated() {
      let bus = NonisolatedLifecycleBus()
      let writing = try FlightRecorder(of: bus, capacity: capacity)
        .write(to: "\(path)-\(index + 1)", rotatingAt: size, keeping: keeping)
      Thread {
        withExtendedLifetime(writing) { for number in 0... { send(number, to: bus) } }
      }
      .start()
    }
    let bus = NonisolatedLifecycleBus()
    let recorder = FlightRecorder(of: bus, capacity: capacity)
    let writing = try open(recorder)
    if let fileSizeLimit { setSoftLimit(RLIMIT_FSIZE, to: rlim_t(fileSizeLimit)) }
    printLine("recording")
    for number in 0..<count {
      send(number, to: bus)
      if pauses { usleep(1_000) }
    }
    printLine("sent \(recorder.recording.records.count)")
    while hold { sleep(1_000) }
    if waits { _ = readLine() }
    switch end {
    case "cancel": writing.cancel()
    case "exit": Foundation.exit(0)
    case "_exit": _exit(0)
    case "child": dieAfterChild()
    case "continued":
      writing.cancel()
      let file = FileHandle(forWritingAtPath: path)
      try file?.seekToEnd()
      try file?.write(contentsOf: Data("another\n".utf8))
    default: break
    }
    if let whole { try recorder.recording.write(to: whole) }
    printLine("ended")
    withExtendedLifetime((bus, writing)) {}
  }

  private func send(_ number: Int, to bus: NonisolatedLifecycleBus) {
    bus.send(
      number.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground,
      metadata: ["number": "\(number)"]
    )
  }

  private func open(_ recorder: FlightRecorder) throws -> LifecycleCancellable {
    do throws(FlightFileError) {
      if reports {
        dup2(STDOUT_FILENO, STDERR_FILENO)
        return try recorder.write(to: path, rotatingAt: rotatingAt, keeping: keeping)
      }
      return try recorder.write(to: path, rotatingAt: rotatingAt, keeping: keeping) { failure in
        printLine("failure \(failure)")
      }
    } catch {
      printLine("error \(error)")
      throw ExitCode.failure
    }
  }
}

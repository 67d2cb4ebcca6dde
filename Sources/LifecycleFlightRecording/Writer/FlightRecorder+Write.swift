public import ReactiveLifecycle

extension FlightRecorder {
  /// The time after a failed write in which no record causes another attempt.
  static let retryInterval: Duration = .seconds(1)

  /// Writes the recording to a file: what is kept now, and from then on every record soon after it
  /// is made.
  ///
  /// ```swift
  /// let recorder = FlightRecorder(of: bus)
  /// try recorder.write(to: path).store(in: scope)
  /// ```
  ///
  /// The recording is appended to an existing file, and begins on a new line. A process that is
  /// killed at any moment leaves complete lines; only the last one may be cut off. The records of
  /// the last moments, which were not written yet, are lost.
  ///
  /// A file that would exceed `bytes` is renamed to `PATH.1`, `PATH.1` to `PATH.2`, and so on, and
  /// a new one begins. Each file can be read without the others: it begins with the state before
  /// its first record.
  ///
  /// Everything that was recorded is written when the returned object is cancelled or released, for
  /// example by its scope, and at the end of the bus, before the end of the process. The calls wait
  /// for that. The object keeps the recorder alive. If the process exits, by `exit` or a return
  /// from `main`, that is written as the ``FlightRecord/Content/ended`` of the recording. If the
  /// object was cancelled or released before, that end has the instant of the cancellation.
  ///
  /// If a write fails, because the disk is full for example, `onFailure` is called once, the
  /// recorder continues to record, and a later record, at the earliest after a second, causes
  /// another attempt. `onFailure` is called again if what was recorded can't be written at the end.
  ///
  /// If another program moves, deletes, truncates, or otherwise changes the file, the next record
  /// begins a new file at the path, or a new part of the file, with the state before it, and
  /// `onFailure` receives ``FlightFileError/Problem/changedByAnotherProgram``.
  ///
  /// If the recorder has dropped records before they could be written, the recording continues in
  /// the file as another one, whose ``FlightRecording/Start/dropped`` is the number of all records
  /// before it.
  ///
  /// Records are written on a queue of the writer. While nothing is recorded, it does nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its directory must exist. If the file is created, only the
  ///     current user can read and write it. Only one recorder can write it at a time.
  ///   - bytes: The size that a file does not exceed, in bytes, unless a single record does.
  ///   - olderFiles: The number of older files to keep.
  ///   - onFailure: The closure runs on the writer's queue, or on the thread that waits for it,
  ///     without a lock. The default reports an issue.
  /// - Returns: An object that writes until it is cancelled or released.
  /// - Throws: A ``FlightFileError`` if the file can't be opened or written.
  public func write(
    to path: String,
    rotatingAt bytes: Int = 10_000_000,
    keeping olderFiles: Int = 3,
    onFailure: @escaping @Sendable (FlightFileError) -> Void = { $0.report() }
  ) throws(FlightFileError) -> LifecycleCancellable {
    let writer = try writer(
      to: path,
      limit: bytes,
      keeping: olderFiles,
      retryInterval: Self.retryInterval,
      onFailure
    )
    return LifecycleCancellable { writer.end() }
  }

  /// Writes the recording as ``write(to:rotatingAt:keeping:onFailure:)`` does, to one file.
  ///
  /// - Parameter replacesContent: Whether to replace the content of the file. The content is
  ///   removed before the first write, so it is lost if that fails.
  /// - Throws: An error if another recorder writes the file, whose content is then unchanged.
  /// - Returns: An object that writes until it is cancelled or released, and a closure that writes
  ///   everything that was recorded before its call.
  package func writeWithFlush(
    to path: String,
    replacing replacesContent: Bool = false,
    onFailure: @escaping @Sendable (FlightFileError) -> Void
  ) throws(FlightFileError) -> (writing: LifecycleCancellable, flush: @Sendable () -> Void) {
    let writer = try writer(
      to: path,
      limit: .max,
      keeping: 0,
      replacing: replacesContent,
      retryInterval: Self.retryInterval,
      onFailure
    )
    return (LifecycleCancellable { writer.end() }, { writer.flush() })
  }

  func writer(
    to path: String,
    limit: Int,
    keeping olderFiles: Int,
    replacing replacesContent: Bool = false,
    retryInterval: Duration,
    _ onFailure: @escaping @Sendable (FlightFileError) -> Void
  ) throws(FlightFileError) -> FlightRecordingWriter {
    do throws(SystemError) {
      return try FlightRecordingWriter(
        self,
        FileSeries(path: path, olderCount: max(olderFiles, 0)),
        limit: limit,
        replacing: replacesContent,
        retryInterval: retryInterval,
        onFailure
      )
    } catch {
      throw FlightFileError(.unwritable(errno: error.errno), path)
    }
  }
}

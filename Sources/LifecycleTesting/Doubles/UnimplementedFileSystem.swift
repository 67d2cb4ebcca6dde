public import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

extension JournalFileSystem {
  /// Returns a file system that fails the test when it is used.
  ///
  /// ```swift
  /// let model = TimerModel(on: bus, fileSystem: .unimplemented())  // the test fails here …
  /// model.start()  // … if this opens a journal
  /// ```
  ///
  /// A journal can't be opened on this file system: its initializer throws `cannotOpen`, with
  /// `ENOSYS`.
  public static func unimplemented(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> JournalFileSystem {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return JournalFileSystem(UnimplementedFileSystem(site))
  }
}

/// A storage for journals that fails the test when it is used.
private final class UnimplementedFileSystem: JournalStorage {
  private let site: CallSite
  private let failures = TestFailures()

  init(_ site: CallSite) {
    self.site = site
  }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    failures.report(
      """
      An unimplemented file system was used: a journal was opened at \(path). If the test expects \
      this, pass .inMemory(files) or .system instead.
      """,
      at: site
    )
    throw JournalFileError(errno: ENOSYS)
  }
}

public import LifecycleJournaling
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

/// A file system for journals that fails the test when it is used.
///
/// ```swift
/// let files = UnimplementedFileSystem()  // the test fails here …
/// let model = TimerModel(on: bus, fileSystem: files)
/// model.start()  // … if this opens a journal
/// ```
///
/// A journal can't be opened on it: its initializer
/// throws `cannotOpen`, with `ENOSYS`.
public final class UnimplementedFileSystem: JournalFileSystem {
  private let site: CallSite
  private let failures = TestFailures()

  /// One that reports its uses at the place where it is made.
  public init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  public func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    failures.report(
      """
      An unimplemented file system was used: a journal was opened at \(path). Pass an \
      InMemoryFileSystem, or .system, where this is expected.
      """,
      at: site
    )
    throw JournalFileError(errno: ENOSYS)
  }
}

/// The file system for the file of a ``LifecycleJournal``: the operating system's, or, in tests,
/// one of `LifecycleTesting`, in memory.
///
/// ```swift
/// journal = try LifecycleJournal(at: path, of: bus, fileSystem: .system)
/// ```
public struct JournalFileSystem: Sendable {
  package let storage: any JournalStorage

  package init(_ storage: some JournalStorage) {
    self.storage = storage
  }

  /// The file system of the operating system.
  ///
  /// Only the current user can read and write the journals that it creates. Symbolic links are
  /// followed. Files are unlocked while the process may be suspended, on systems that suspend
  /// processes without being asked: not on Linux and macOS.
  public static let system = JournalFileSystem(SystemJournalFileSystem())
}

import LifecycleSupport

/// The right to be the only open file of a journal in this process, whichever path leads to it,
/// even while the file is not locked.
struct FileClaim: Hashable, Sendable {
  private static let claims = Locked<Set<FileClaim>>([])

  private let device: dev_t
  private let number: ino_t

  /// Claims the file of that status.
  ///
  /// Nil if the file is already claimed.
  init?(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
    let claim = self
    guard Self.claims.withLock({ $0.insert(claim).inserted }) else { return nil }
  }

  func end() {
    _ = Self.claims.withLock { $0.remove(self) }
  }
}

import LifecycleSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The right to be the one open file of a journal in this process, whichever path leads to it, also
/// while it is not locked.
struct FileClaim: Hashable, Sendable {
  private static let claims = Locked<Set<FileClaim>>([])

  private let device: dev_t
  private let number: ino_t

  /// Nil if the file is claimed already.
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

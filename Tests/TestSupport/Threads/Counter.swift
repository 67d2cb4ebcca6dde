import LifecycleSupport

/// A count that any thread may change.
public final class Counter: Sendable {
  private let value = Locked(0)

  public init() {}

  public var count: Int { value.withLock { $0 } }

  /// Adds one.
  ///
  /// - Returns: The new count.
  @discardableResult
  public func add() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }

  public func subtract() { value.withLock { $0 -= 1 } }
}

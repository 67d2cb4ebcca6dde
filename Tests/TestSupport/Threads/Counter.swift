import Synchronization

/// A count that any thread may change.
public final class Counter: Sendable {
  private let value = Atomic(0)

  public init() {}

  public var count: Int { value.load(ordering: .sequentiallyConsistent) }

  /// Adds one.
  ///
  /// - Returns: The new count.
  @discardableResult
  public func add() -> Int { value.add(1, ordering: .sequentiallyConsistent).newValue }

  public func subtract() { value.subtract(1, ordering: .sequentiallyConsistent) }
}

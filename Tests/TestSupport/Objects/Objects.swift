/// An object that calls a closure when it is released.
public final class Canary: Sendable {
  private let onRelease: @Sendable () -> Void

  public init(_ onRelease: @escaping @Sendable () -> Void = {}) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Keeps the canary in a closure that does nothing else with it.
  public func sing() {}
}

/// A place for something that isn't `Sendable`, in tests where only one thread touches it.
public final class UncheckedBox<Value>: @unchecked Sendable {
  public var value: Value?

  public init(_ value: Value? = nil) {
    self.value = value
  }
}

/// An object that is not kept alive.
public struct Weak<Object: AnyObject & Sendable>: Sendable {
  public weak let object: Object?

  public init(_ object: Object) { self.object = object }

  public var isAlive: Bool { object != nil }
}

/// A copy of the value, changed.
public func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

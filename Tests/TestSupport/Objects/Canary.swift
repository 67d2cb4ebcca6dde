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

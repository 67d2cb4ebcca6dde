/// A place for something that isn't `Sendable`, in tests where only one thread touches it.
public final class UncheckedBox<Value>: @unchecked Sendable {
  public var value: Value?

  public init(_ value: Value? = nil) {
    self.value = value
  }
}

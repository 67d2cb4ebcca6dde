/// A place for something that isn't `Sendable`, in tests where only one thread touches it.
final class UncheckedBox<Value>: @unchecked Sendable {
  var value: Value?

  init(_ value: Value? = nil) {
    self.value = value
  }
}

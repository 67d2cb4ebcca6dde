/// A value behind a lock that need not be `Sendable`.
///
/// `@unchecked Sendable`: whoever uses it says why that is safe.
struct Unchecked<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

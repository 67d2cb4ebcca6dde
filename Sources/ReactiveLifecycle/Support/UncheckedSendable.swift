/// A value that crosses threads although its type does not declare that it may.
///
/// `@unchecked Sendable`: where such a value is kept, a comment says why that is safe.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}

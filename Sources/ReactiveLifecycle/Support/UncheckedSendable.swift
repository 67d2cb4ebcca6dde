/// A value that crosses threads although its type does not declare that it may.
///
/// `@unchecked Sendable`: each use documents why it is safe. Combine, for example, passes values,
/// subscribers, subscriptions, and publishers from thread to thread, one call at a time.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}

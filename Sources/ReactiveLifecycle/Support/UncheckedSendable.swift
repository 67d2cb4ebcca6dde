/// A value that crosses threads without its type saying that it may.
///
/// `@unchecked Sendable`: each use says why it is safe. Combine, for example, passes values,
/// subscribers, subscriptions, and publishers from thread to thread, one call at a time.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}

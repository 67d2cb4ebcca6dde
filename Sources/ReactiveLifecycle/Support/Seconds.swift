/// A duration that is displayed as plain text.
package struct Seconds: Equatable, CustomStringConvertible, CustomReflectable {
  package let duration: Duration

  package init(_ duration: Duration) { self.duration = duration }

  package var description: String { duration.text }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

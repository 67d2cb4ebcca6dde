import CustomDump

/// A text that is dumped without quotes.
struct PlainText: Hashable, CustomStringConvertible, CustomDumpReflectable {
  let description: String

  var customDumpMirror: Mirror { Mirror(self, children: []) }
}

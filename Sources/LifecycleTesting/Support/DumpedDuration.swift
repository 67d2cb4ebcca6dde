import CustomDump
import ReactiveLifecycle

/// A duration that is dumped as text: on Linux its own dump is two halves of a number of attoseconds.
struct DumpedDuration: Equatable, CustomDumpStringConvertible {
  let duration: Duration

  var customDumpDescription: String { duration.text }
}

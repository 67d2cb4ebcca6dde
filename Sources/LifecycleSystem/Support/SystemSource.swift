public import ReactiveLifecycle

/// A source that knows whether the machine has what it needs.
///
/// A bus that it is connected to receives its events where the bus delivers, never on the thread
/// that waits for them.
public protocol SystemSource: LifecycleSource {
  /// Whether the source can report anything, and by what, or why not.
  ///
  /// Each access asks the system. Connecting does not require it.
  var availability: SystemAvailability { get }
}

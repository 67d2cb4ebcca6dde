public import ReactiveLifecycle

/// A source that knows whether the machine has what it needs.
///
/// A bus that it is connected to receives its events where the bus delivers, never on the thread
/// that waits for them.
public protocol SystemSource: LifecycleSource {
  /// The facility by which the source reports, or the reason why it reports nothing.
  ///
  /// Each access asks the system. Connecting does not require it.
  var availability: SystemAvailability { get }
}

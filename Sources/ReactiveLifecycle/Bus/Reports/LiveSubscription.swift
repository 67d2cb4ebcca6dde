/// An observer that is registered now, for finding leaks.
public struct LiveSubscription: Sendable, Hashable {
  /// The location where it was registered.
  public var location: LifecycleObserverLocation
  /// The time since it was registered, including the device's sleep.
  public var age: Duration
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension LiveSubscription: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["location": location, "age": Seconds(age)],
      displayStyle: .struct
    )
  }
}

/// One observer that is registered now, for finding leaks.
public struct LiveSubscription: Sendable, Hashable {
  /// Who registered it.
  public var location: LifecycleObserverLocation
  /// How long ago it was registered, sleep included.
  public var age: Duration
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.
extension LiveSubscription: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["location": location, "age": Seconds(age)],
      displayStyle: .struct
    )
  }
}

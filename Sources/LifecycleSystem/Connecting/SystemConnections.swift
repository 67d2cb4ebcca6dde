public import ReactiveLifecycle

/// The sources that `connectSystem` has connected, with what each can report on this machine.
public struct SystemConnections: Hashable, Sendable {
  /// A source and what it can report.
  public struct Entry: Hashable, Sendable {
    /// The name of the source.
    public var source: LifecycleSourceName
    /// The availability of what the source reports by.
    public var availability: SystemAvailability
  }

  /// The sources, in the order in which they were connected.
  public var entries: [Entry]
}

extension SystemConnections: CustomStringConvertible {
  /// A line for each source, such as `memoryPressure: available, by the control group`.
  public var description: String {
    entries.map { "\($0.source): \($0.availability)" }.joined(separator: "\n")
  }
}

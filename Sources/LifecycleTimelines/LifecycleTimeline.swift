public import LifecycleFlightRecording

/// A drawing of what happened to a process.
public struct LifecycleTimeline: Sendable, Hashable {
  /// Creates the timeline of the runs of a process, one after the other.
  public init(_ recordings: [FlightRecording], title: String? = nil) {}

  /// A self-contained page that needs no network.
  public var html: String { "" }

  /// A self-contained picture.
  public var svg: String { "" }

  /// The timeline as text for a terminal.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal.
  ///   - usesColor: Whether to use colors.
  public func text(columns: Int, usesColor: Bool) -> String { "" }
}

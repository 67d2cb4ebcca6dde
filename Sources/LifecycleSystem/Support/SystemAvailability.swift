/// The answer to whether a source can report anything on this machine.
///
/// The lack of a facility is no error: a source without it connects, and reports nothing.
///
/// ```swift
/// if case .unavailable(let reason) = MemoryPressureSource.memoryPressure().availability {
///   print("no memory warnings: \(reason)")
/// }
/// ```
public enum SystemAvailability: Hashable, Sendable {
  /// The source reports, by the facility with this name.
  case available(by: String)
  /// The source reports nothing, for this reason.
  case unavailable(because: String)
}

extension SystemAvailability: CustomStringConvertible {
  /// The text `available, by …` or `unavailable, because …`.
  public var description: String {
    switch self {
    case .available(let facility): "available, by \(facility)"
    case .unavailable(let reason): "unavailable, because \(reason)"
    }
  }
}

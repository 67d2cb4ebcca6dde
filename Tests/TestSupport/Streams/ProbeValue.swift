/// A value that traces can show, and whose release can be noticed.
public struct ProbeValue: Sendable, Equatable {
  public let number: Int
  public let canary: Canary?

  public init(_ number: Int, _ canary: Canary? = nil) {
    self.number = number
    self.canary = canary
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
}

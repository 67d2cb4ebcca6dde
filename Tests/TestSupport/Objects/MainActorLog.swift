/// The lines that a test on the main actor has written.
@MainActor public final class MainActorLog {
  public private(set) var lines: [String] = []

  public init() {}

  public func add(_ line: String) { lines.append(line) }
}

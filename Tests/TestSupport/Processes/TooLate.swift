import Foundation

/// The machine was too busy for what a test wanted to do in the time that it had.
public struct TooLate: Error, CustomStringConvertible {
  public let description: String

  /// - Parameter seen: What happened instead.
  public init(_ seen: some Any) {
    description = "The machine was too busy: \(seen)"
  }
}

/// Tries the body again, each time with twice as much time, until the machine is not too busy for it.
///
/// For a test whose subject is a limit of real time. The body must throw ``TooLate`` before it expects
/// anything that does not hold then. Each attempt that came too late is reported on standard error: on an
/// idle machine it is a fault.
///
/// - Parameter first: How much time the first attempt has, in a unit of the caller's.
public func withEnoughTime(_ first: Int, _ body: (Int) throws -> Void) throws {
  var time = first
  while true {
    do {
      return try body(time)
    } catch let late as TooLate {
      reportToStandardError("\(late). Trying again with twice as much time.\n")
      time *= 2
      if time > 32 * first { throw late }
    }
  }
}

/// Tries the body again, until the machine is not too busy for it.
///
/// For a test of a limit that it can't raise. The body must throw ``TooLate`` only if that limit was
/// reached: otherwise what it found is the fault that it looks for.
public func untilInTime(_ body: () throws -> Void) throws {
  for _ in 0..<5 {
    do {
      return try body()
    } catch let late as TooLate {
      reportToStandardError("\(late). Trying again.\n")
    }
  }
  try body()
}

/// Throws ``TooLate`` unless both are the same.
public func requireInTime<Value: Equatable>(_ found: Value, _ expected: Value) throws {
  if found != expected { throw TooLate("expected \(expected), found \(found)") }
}

private func reportToStandardError(_ line: String) {
  try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
}

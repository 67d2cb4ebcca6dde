import Foundation

/// The time in which everything happens on any machine, unless it never happens.
private let ampleTime = Duration.seconds(300)

/// Checks a condition again and again until it holds; returns false if it does not hold in a time that is
/// more than enough on any machine.
///
/// - Parameter interval: The time between two checks.
public func eventually(
  every interval: Duration = .milliseconds(1),
  _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = ContinuousClock.now + ampleTime
  while try !condition() {
    if ContinuousClock.now >= deadline { return false }
    Thread.sleep(forTimeInterval: interval / .seconds(1))
  }
  return true
}

/// Does the same without blocking.
public func eventually(
  every interval: Duration = .milliseconds(1),
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + ampleTime
  while try !condition() {
    if ContinuousClock.now >= deadline { return false }
    try? await Task.sleep(for: interval)
  }
  return true
}

import Foundation

/// Runs the body on the main actor and blocks until it has returned.
public func waitForMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows
  -> Result
{
  guard !Thread.isMainThread else { return try MainActor.assumeIsolated(body) }
  return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
}

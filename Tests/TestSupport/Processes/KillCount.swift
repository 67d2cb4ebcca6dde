import Foundation

/// How many processes a test kills. Few, so that the suite stays fast; `LIFECYCLE_KILLS=200 swift test
/// --filter KillTests` chooses the number for each of them.
public func killCount(usually usual: Int) -> Int {
  chosenKillCount ?? (isThreadSanitized ? max(1, usual / 5) : usual)
}

/// The number of `LIFECYCLE_KILLS`.
public let chosenKillCount = ProcessInfo.processInfo.environment["LIFECYCLE_KILLS"]
  .flatMap(Int.init)

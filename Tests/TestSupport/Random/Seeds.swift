import Foundation

/// The seeds of a random test: 1 to `count`, or the one that `LIFECYCLE_SEED` names.
public func seeds(_ count: UInt64) -> ClosedRange<UInt64> {
  let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
  return chosen.map { $0...$0 } ?? 1...count
}

public import Foundation
public import LifecycleCore

extension LifecycleInstant {
  /// The reading of the wall clock as a `Date`.
  ///
  /// In a test, `lifecycle.clock.now.date` is the date of the script, which `Date.now` is not.
  ///
  /// ```swift
  /// calendar.startOfDay(for: instant.date)
  /// ```
  public var date: Date { Date(timeIntervalSince1970: timeSince1970 / .seconds(1)) }
}

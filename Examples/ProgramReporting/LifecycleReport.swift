package import ReactiveLifecycle

/// The report of a program on what happens to its process.
@MainActor
package protocol LifecycleReport: AnyObject {
  func event(_ event: LifecycleEvent)
  func suppressed(_ input: SuppressedInput)
}

/// The format of a report.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text, json
}

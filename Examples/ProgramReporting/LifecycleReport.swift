package import ReactiveLifecycle

/// How a program tells what happens to its process.
@MainActor
package protocol LifecycleReport: AnyObject {
  func event(_ event: LifecycleEvent)
  func suppressed(_ input: SuppressedInput)
}

/// Which report it is.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text, json
}

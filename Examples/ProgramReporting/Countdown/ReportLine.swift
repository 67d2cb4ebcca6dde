package import LifecycleJournaling
import ReactiveLifecycle

/// A line of a `JSONReport`, read back.
package struct ReportLine: Decodable, Hashable, Sendable {
  package enum Form: String, Decodable, Sendable {
    case launch, event, stay, suppressed, tick, finished
  }

  package var type: Form
  package var previousExit: LifecycleJournal.PreviousExit?
  package var awaySeconds: Double?
  package var kind: String?
  package var phase: String?
  package var sequence: Int?
  package var origin: String?
  package var reason: String?
  package var seconds: Double?
  package var asleepSeconds: Double?
  package var remainingSeconds: Int?
  /// False on ticks whose time could not be verified; nil otherwise.
  package var verified: Bool?
}

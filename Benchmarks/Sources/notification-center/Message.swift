import Foundation
import ReactiveLifecycle

/// The typed message. It carries the event.
struct Message: NotificationCenter.MainActorMessage {
  static let name = Notification.Name("BenchmarkMessage")

  /// What it is posted about; nil subjects are not offered for messages.
  final class Subject: Sendable {}

  /// What happened.
  let event: LifecycleEvent

  static func makeMessage(_ notification: Notification) -> Message? { nil }
}

extension Notification.Name {
  /// What is posted without an object and without a dictionary: the cheapest form there is.
  static let sample = Notification.Name("Benchmark")
}

import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
import Testing

/// The application of a test with the trait `.lifecycle`.
@MainActor
final class TestApplication {
  let lifecycle = ScriptedLifecycle()
  /// Returns the bus of the process that was launched last.
  nonisolated let currentBus: @Sendable () -> LifecycleBus

  init() {
    let bus = lifecycle.currentBus
    // Code of the test that continues after it finds no bus.
    currentBus = { bus() ?? LifecycleBus() }
  }

  /// Attaches what happened to the application, if it was launched.
  func attach(to test: Test) {
    let recordings = lifecycle.recordings
    guard !recordings.isEmpty else { return }
    let name = String(test.name.prefix { $0 != "(" })
    Attachment.record("\(lifecycle.transcript)\n", named: "\(name) transcript.txt")
    let timeline = LifecycleTimeline(recordings, title: test.displayName ?? name)
    Attachment.record(timeline.html, named: "\(name) timeline.html")
  }
}

import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import Testing

extension ScriptAccounts {
  /// Attaches what happened in the scripts that were launched.
  @MainActor
  func attach(to test: Test) {
    let name = String(test.name.prefix { $0 != "(" })
    for (index, account) in all.enumerated() {
      let number = index == 0 ? "" : " \(index + 1)"
      Attachment.record("\(account.transcript)\n", named: "\(name) transcript\(number).txt")
      let timeline = LifecycleTimeline(account.recordings, title: test.displayName ?? name)
      Attachment.record(timeline.html, named: "\(name) timeline\(number).html")
    }
  }
}

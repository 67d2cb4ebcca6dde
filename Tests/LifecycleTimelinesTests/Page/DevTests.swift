import Foundation
import LifecycleFlightRecording
import LifecycleTimelines
import Testing

@Suite struct DevTests {
  @Test func write() throws {
    let folder = URL(filePath: "/tmp/a3pages")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PageFiles.write(to: folder)
    let clock = ContinuousClock()
    var recording = Story.week(records: 100_000).recording
    var t: LifecycleTimeline!
    print("model", clock.measure { t = LifecycleTimeline([recording]) })
    print(
      "text",
      clock.measure { recording.process.id = Int32(t.text(columns: 120, usesColor: true).count) }
    )
    print("svg", clock.measure { print(t.svg.utf8.count) })
    var html = ""
    print(
      "html",
      clock.measure {
        html = t.html; print(html.utf8.count)
      }
    )
    try html.write(to: folder.appending(path: "big.html"), atomically: true, encoding: .utf8)
    try t.svg.write(to: folder.appending(path: "big.svg"), atomically: true, encoding: .utf8)
    for (name, recordings) in PageFiles.all {
      for columns in [40, 100] {
        print("----", name, columns)
        print(LifecycleTimeline(recordings).text(columns: columns, usesColor: false))
      }
    }
    print(t.text(columns: 160, usesColor: false))
  }
}

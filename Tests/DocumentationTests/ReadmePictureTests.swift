import CustomDump
import Foundation
import LifecycleFlightRecording
import LifecycleTimelines
import Testing

/// The first picture of the README: what the tour did, in a recording beside the picture.
@Suite("Picture of the README")
struct ReadmePictureTests {
  private static let folder = Sample.root.appending(path: "Examples/Pictures")

  @Test(
    "The picture is what the timeline draws",
    arguments: [
      ("tour.svg", LifecycleTimeline.ColorScheme.light), ("tour~dark.svg", .dark),
    ]
  )
  func picture(file: String, scheme: LifecycleTimeline.ColorScheme) throws {
    let recording = try FlightFile(contentsOf: Self.folder.appending(path: "tour.jsonl").path)
    #expect(recording.damage.isEmpty)
    let drawn = LifecycleTimeline(recording.recordings, title: "lifecycle-tour")
      .svg(width: 880, colorScheme: scheme)
    let url = Self.folder.appending(path: file)
    // swift run lifecycle-tour --recording Examples/Pictures/tour.jsonl
    // LIFECYCLE_DRAW_PICTURES=1 swift test --filter ReadmePicture
    if ProcessInfo.processInfo.environment["LIFECYCLE_DRAW_PICTURES"] != nil {
      try drawn.write(to: url, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: url, encoding: .utf8)
    expectNoDifference(
      committed,
      drawn,
      "Run LIFECYCLE_DRAW_PICTURES=1 swift test --filter ReadmePicture, and look at \(file)."
    )
  }

  @Test("The README shows it, in light and dark")
  func readme() throws {
    let readme = try String(contentsOf: Sample.root.appending(path: "README.md"), encoding: .utf8)
    let picture = try #require(readme.firstMatch(of: /<picture>.*/)).0
    #expect(picture.contains("src=\"Examples/Pictures/tour.svg\""))
    #expect(picture.contains("srcset=\"Examples/Pictures/tour~dark.svg\""))
    #expect(picture.contains(/alt="[^"]+"/))
  }
}

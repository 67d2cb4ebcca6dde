import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
import Testing

/// The first picture of the README: a timeline of a scripted life.
@Suite("Picture of the README")
@MainActor
struct ReadmePictureTests {
  private static let folder = Sample.root.appending(path: "Examples/Pictures")

  @Test(
    "The picture is what the timeline draws",
    arguments: [
      ("life.svg", LifecycleTimeline.ColorScheme.light), ("life~dark.svg", .dark),
    ]
  )
  func picture(file: String, scheme: LifecycleTimeline.ColorScheme) throws {
    let drawn = LifecycleTimeline(life(), title: "Two runs of rental")
      .svg(width: 880, colorScheme: scheme)
    let url = Self.folder.appending(path: file)
    // LIFECYCLE_DRAW_PICTURES=1 swift test --filter ReadmePicture
    if ProcessInfo.processInfo.environment["LIFECYCLE_DRAW_PICTURES"] != nil {
      try drawn.write(to: url, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: url, encoding: .utf8)
    #expect(
      committed == drawn,
      "Run LIFECYCLE_DRAW_PICTURES=1 swift test --filter ReadmePicture, and look at \(file)."
    )
  }

  @Test("The README shows it, in light and dark")
  func readme() throws {
    let readme = try String(contentsOf: Sample.root.appending(path: "README.md"), encoding: .utf8)
    let picture = try #require(readme.firstMatch(of: /<picture>.*/)).0
    #expect(picture.contains("src=\"Examples/Pictures/life.svg\""))
    #expect(picture.contains("srcset=\"Examples/Pictures/life~dark.svg\""))
    #expect(picture.contains(/alt="[^"]+"/))
  }

  /// A rental is away for 90 s, half of them asleep, is killed, and launched again.
  private func life() -> [FlightRecording] {
    let tasks = BackgroundTasks()
    let lifecycle = ScriptedLifecycle { process in
      let countdown = Countdown(.seconds(200), of: process.bus, tickInterval: nil)
      countdown.start()
      process.keep(countdown)
      tasks.connect(to: process.bus)
    }
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(35)))
    lifecycle.perform(.duplicate(.didBecomeActive), .advance(by: .seconds(5)), .enterBackground)
    tasks.begin("upload")
    lifecycle.perform(.advance(by: .seconds(20)))
    tasks.end()
    lifecycle.perform(.sleepDevice(for: .seconds(45)), .advance(by: .seconds(25)))
    lifecycle.perform(.enterForeground, .advance(by: .seconds(30)), .memoryWarning)
    lifecycle.perform(.advance(by: .seconds(15)), .kill, .advance(by: .seconds(20)), .relaunch)
    lifecycle.perform(.becomeActive, .advance(by: .seconds(40)), .terminate)
    return lifecycle.recordings.enumerated().map {
      $0.element.named(processID: 4711 + Int32($0.offset))
    }
  }
}

/// The background tasks of one process after the other.
@MainActor
private final class BackgroundTasks {
  private var coordinator: BackgroundTaskCoordinator?
  private var task: BackgroundTask?

  func connect(to bus: LifecycleBus) {
    coordinator = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost(), recordedOn: bus)
  }

  func begin(_ name: String) {
    task = coordinator?.beginTask(named: name)
  }

  func end() {
    task?.end()
  }
}

extension FlightRecording {
  /// The recording with the names of a program, instead of those of this test.
  fileprivate func named(processID: Int32) -> FlightRecording {
    var recording = self
    recording.process = Process(name: "rental", id: processID)
    for index in records.indices {
      guard case .activity(var activity) = records[index].content, activity.kind == .countdown
      else { continue }
      activity.name = "rental"
      recording.records[index].content = .activity(activity)
    }
    return recording
  }
}

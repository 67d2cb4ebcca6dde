import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LifecycleSources

@Suite("Documentation samples about Apple's platforms run")
@MainActor
struct ApplePlatformSampleRuns {
  @Test("View models get their bus")
  func viewModels() throws {
    // They assert themselves, as the articles show it.
    let samples = ViewModelSamples()
    samples.injectedBus()
    samples.applicationBus()
    samples.screen()
    try samples.rawNames()
  }

  @Test("A player plays until the background, and is released")
  func playerPlaysUntilTheBackground() {
    let bus = LifecycleBus()
    var player: PlayerModel? = PlayerModel(bus: bus)
    player?.play()
    bus.send(.didBecomeActive)
    expectNoDifference(player?.isPlaying, true)
    bus.send(.didEnterBackground)
    expectNoDifference(player?.isPlaying, false)
    weak let released = player
    player = nil
    #expect(released == nil)
  }

  @Test("The table of the article on scenes is right")
  func tableOfArticleOnScenesIsRight() throws {
    // The application, the two scenes, the bus.
    let columns = [
      ["background", "active", "background", "active"],
      ["background", "inactive", "active", "active"],
      ["background", "background", "active", "active"],
      ["background", "–", "inactive", "inactive"],
      ["background", "–", "background", "background"],
    ]
    expectNoDifference(try SceneTableSamples().columns(), columns)
    let article = try String(
      contentsOf: Sample.root.appending(
        path: "Sources/LifecycleSources/Documentation.docc/Scenes.md"
      ),
      encoding: .utf8
    )
    let rows = ["application   ", "left scene", "right scene", "the bus   "].map { name in
      article.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
        .split(separator: " ").map(String.init) ?? []
    }
    expectNoDifference(rows, (0..<4).map { row in columns.map { $0[row] } })
  }

  @Test("Scene and application notifications fire once, in both orders", arguments: [true, false])
  func sceneAndApplicationNotificationsFireOnce(sceneFirst: Bool) throws {
    expectNoDifference(
      try SceneTableSamples().pairs(sceneFirst: sceneFirst),
      [
        .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
        .didEnterBackground,
      ]
    )
  }

  @Test("A quick kill is one more short visit of another scene")
  func quickKill() throws {
    expectNoDifference(
      try SceneTableSamples().quickKill(),
      [
        .willResignActive, .didEnterBackground, .willEnterForeground, .didEnterBackground,
        .willTerminate,
      ]
    )
  }

  @Test("Events tell the scene")
  func sceneOfAnEvent() {
    expectNoDifference(
      SceneTableSamples().sceneOfAnEvent(),
      ["in sight: 4C7F", "in sight: the application"]
    )
  }

  @Test("A table about windows makes a participant of each")
  func tableAboutWindowsMakesParticipantOfEach() throws {
    expectNoDifference(try SceneTableSamples().windowTable(), ["application", "window 2"])
  }

  @Test("The host of an extension is unknown at first")
  func extensionHost() throws {
    #expect(try SceneTableSamples().extensionHost() == .unknown)
  }

  @Test("An extension on macOS runs in the background")
  func macExtension() throws {
    #expect(try SceneTableSamples().macExtension() == .background)
  }

  @Test("A window's bus is made when the window asks for it, not with each value of its view")
  func windowBus() {
    let application = LifecycleBus()
    LifecycleBus.withApplication(application) {
      let windows = (0..<10).map { _ in EditorLifecycle() }
      expectNoDifference(application.diagnostics.liveSubscriptions.count, 0)
      let bus = windows[0].bus
      #expect(bus === windows[0].bus)
      expectNoDifference(application.diagnostics.liveSubscriptions.count, 1)
    }
    expectNoDifference(application.diagnostics.liveSubscriptions.count, 0)
  }

  @Test("A part of a source has a say until it disconnects")
  func partHasASayUntilItLeaves() throws {
    let bus = LifecycleBus()
    bus.send(.didFinishLaunching)
    var kinds: [LifecycleEvent.Kind] = []
    let token = bus.addObserver { kinds.append($0.kind) }
    let connection = try bus.connect(WindowSource())
    expectNoDifference(
      kinds,
      [.willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground]
    )
    connection.cancel()
    token.cancel()
  }

  @Test("Openings as RxAppState's didOpenApp tells them: not Control Center")
  func openingsAsDidOpenAppTellsThem() {
    let samples = MovingSamples()
    samples.bus.send(.didBecomeActive)
    samples.openings()
    expectNoDifference(samples.output, ["reload"])
    samples.bus.send(.willResignActive)
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.output, ["reload"])
    samples.bus.send(.didEnterBackground)
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.output, ["reload", "reload"])
    samples.scope.end()
  }

  @Test("Phases begin with the one that is")
  func phasesBeginWithOneThatIs() {
    let samples = MovingSamples()
    samples.phases()
    samples.bus.send(.didFinishLaunching)
    samples.bus.send(.didFinishLaunching)
    expectNoDifference(samples.output, ["unknown", "background"])
    samples.scope.end()
  }

  @Test("Leaving saves, once")
  func leavingSavesOnce() {
    let samples = MovingSamples()
    let editor = EditorModel(bus: samples.bus)
    samples.events()
    samples.longAbsences()
    samples.bus.send(.didBecomeActive)
    samples.bus.send(.didEnterBackground)
    samples.bus.send(.didEnterBackground)
    expectNoDifference(samples.output, ["save"])
    expectNoDifference(editor.saves, 1)
    samples.clock.advance(by: .seconds(61))
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.output, ["save", "reload"])
    samples.scope.end()
  }
}

/// The tables of raw names in *In a UIKit app*.
@Suite("The article's table of raw names")
struct RawNameTableTests {
  private static func rows() throws -> [String: String] {
    let path = "Sources/LifecycleSources/Documentation.docc/InAUIKitApp.md"
    let text = try String(contentsOf: Sample.root.appending(path: path), encoding: .utf8)
    let rows = text.split(separator: "\n").compactMap { line -> (String, String)? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2, cells[0].hasSuffix("`"), cells[0].contains(/^`(UI|NS|WK)/) else {
        return nil
      }
      return (cells[0].trimmingCharacters(in: ["`"]), cells[1])
    }
    return Dictionary(rows, uniquingKeysWith: { "\($0), \($1)" })
  }

  private static let tables: [NotificationTable] = [
    .uiApplication, .uiScenes, .workspace, .wkApplication, .extensionHost,
    .nsApplication(background: .hidden) { nil }, .nsApplication(background: .occluded) { nil },
  ]

  @Test("It has every row of every table, and no other")
  func hasEveryRowOfEveryTable() throws {
    expectNoDifference(try Self.rows().keys.sorted(), Set(Self.tables.flatMap(\.names)).sorted())
  }

  @Test("Every row says what the notification means")
  func everyRowSaysWhatNotificationMeans() throws {
    let rows = try Self.rows()
    for table in Self.tables {
      for (name, row) in table.rows {
        guard let kind = row.meaning(Notification(name: Notification.Name(name))) else { continue }
        expectNoDifference(rows[name]?.contains("`\(kind)`"), true, "\(name) means \(kind)")
      }
    }
  }
}

import CustomDump
import LifecycleCore
import Testing

/// Plays the script in a text, with the application's and the scenes' notifications connected, and
/// compares what happens with the text.
///
/// Then it plays the script again, with either alone, with both in the other order of connection, and
/// wherever a scene and the application tell the same next to each other, in both orders: all must see
/// the same transitions, each once, along a path of the phase diagram. Notices are the application's.
///
/// - Parameters:
///   - text: What ``NotificationStage/play(_:)`` writes.
///   - application: The transitions that the application's notifications tell after a `launch`, if
///     those are others.
///   - scenes: The transitions that the scenes' tell after a `launch`, if those are others.
@MainActor
func expectScript(
  _ text: String,
  application: [LifecycleEvent.Kind]? = nil,
  scenes: [LifecycleEvent.Kind]? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) throws {
  func expect<Value: Equatable>(_ value: Value, _ expected: Value, _ message: String = "") {
    expectNoDifference(
      value,
      expected,
      message,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
  func transitions(_ commands: [String], _ feed: NotificationStage.Feed) throws
    -> [LifecycleEvent.Kind]
  {
    let stage = try NotificationStage(feed)
    let text = stage.play(commands)
    expect(stage.events.filter(\.kind.isTransition).firstIllegalStep, nil, "\(feed):\n\(text)")
    return stage.events.dropFirst(stage.launchEvents).map(\.kind).filter(\.isTransition)
  }

  let commands = NotificationStage.commands(in: text)
  expect(try NotificationStage(.both).play(commands), text)
  let kinds = try transitions(commands, .both)
  for order in commands.orders {
    for feed in [NotificationStage.Feed.both, .bothScenesFirst] {
      expect(try transitions(order, feed), kinds, "\(feed): \(order)")
    }
    expect(try transitions(order, .application), application ?? kinds, "application: \(order)")
    expect(try transitions(order, .scenes), scenes ?? kinds, "scenes: \(order)")
  }
}

extension [String] {
  /// The script in all orders of what a scene and the application tell next to each other.
  fileprivate var orders: [[String]] {
    var pairs: [Int] = []
    for index in indices.dropLast() where pairs.last != index - 1 {
      if Self.reportTheSame(self[index], self[index + 1]) { pairs.append(index) }
    }
    // Beyond six, pairs share a bit.
    return (0..<1 << Swift.min(pairs.count, 6)).map { bits in
      var order = self
      for (number, index) in pairs.enumerated() where bits & 1 << (number % 6) != 0 {
        order.swapAt(index, index + 1)
      }
      return order
    }
  }

  private static func reportTheSame(_ first: String, _ second: String) -> Bool {
    guard first.hasPrefix("app.") != second.hasPrefix("app.") else { return false }
    let (scene, application) = first.hasPrefix("app.") ? (second, first) : (first, second)
    let pairs = [
      "willConnect": "didFinishLaunching",
      "willEnterForeground": "willEnterForeground",
      "didActivate": "didBecomeActive",
      "willDeactivate": "willResignActive",
      "didEnterBackground": "didEnterBackground",
      "didDisconnect": "didEnterBackground",
    ]
    return pairs[String(scene.drop { $0 != "." }.dropFirst())] == String(application.dropFirst(4))
  }
}

extension [LifecycleEvent] {
  /// The first event that is no edge of the phase diagram, or does not begin where the one before
  /// ended; nil if there is none.
  var firstIllegalStep: LifecycleEvent? {
    let edges: [LifecycleEvent.Kind: (from: LifecyclePhase, to: LifecyclePhase)] = [
      .didFinishLaunching: (.unknown, .background),
      .willEnterForeground: (.background, .inactive),
      .didBecomeActive: (.inactive, .active),
      .willResignActive: (.active, .inactive),
      .didEnterBackground: (.inactive, .background),
      .willTerminate: (.background, .terminated),
    ]
    var phase = LifecyclePhase.unknown
    for event in self {
      let isEdge = edges[event.kind].map { $0 == (event.previousPhase, event.phase) } ?? false
      let isEnd = event.kind == .willTerminate && event.previousPhase == .unknown
      guard event.previousPhase == phase, isEdge || isEnd else { return event }
      phase = event.phase
    }
    return nil
  }
}

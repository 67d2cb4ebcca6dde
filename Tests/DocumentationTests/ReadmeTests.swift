import CustomDump
import Foundation
import LifecycleSources
import ReactiveLifecycle
import Testing

@Suite("What the README shows")
struct ReadmeTests {
  private static let readme = try! String(
    contentsOf: Sample.root.appending(path: "README.md"),
    encoding: .utf8
  )

  @Test("What it shows of the tour, a test compares with the tour, in the README of the examples")
  func tour() throws {
    let examples = try String(
      contentsOf: Sample.root.appending(path: "Examples/README.md"),
      encoding: .utf8
    )
    let lines = try #require(Self.readme.firstMatch(of: /```text\n((.*\n)*?)```/)).1
    #expect(lines.contains("Ctrl-Z"))
    for line in lines.split(separator: "\n") { #expect(examples.contains(line), "\(line)") }
    let claims = try #require(Self.readme.firstMatch(of: /All \d+ claims hold\./)).0
    #expect(examples.contains(claims))
  }

  @Test("A notification that is posted twice fires twice on its center, and once on a bus")
  @MainActor
  func notificationPostedTwice() throws {
    let center = NotificationCenter()
    let bus = LifecycleBus()
    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    defer { connection.cancel() }
    bus.send(.didBecomeActive)
    nonisolated(unsafe) var posts = 0
    let name = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in posts += 1 }
    var events = 0
    let subscription = bus.addObserver(for: .didEnterBackground) { _ in events += 1 }
    center.post(name: name, object: nil)
    center.post(name: name, object: nil)
    expectNoDifference([posts, events], [2, 1])
    withExtendedLifetime((token, subscription)) {}
  }

  @Test("A late observer receives nothing from a center, and from a bus what it chooses")
  @MainActor
  func lateObserver() throws {
    let center = NotificationCenter()
    let name = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    center.post(name: name, object: nil)
    nonisolated(unsafe) var posts = 0
    let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in posts += 1 }
    let bus = LifecycleBus()
    bus.send(.didBecomeActive)
    var received: [Int] = []
    for catchUp in [.nothing, .currentPhase, .path] as [LifecycleCatchUp] {
      var events = 0
      bus.addObserver(catchUp: catchUp) { _ in events += 1 }.cancel()
      received.append(events)
    }
    expectNoDifference(posts, 0)
    expectNoDifference(received, [0, 1, 3])
    withExtendedLifetime(token) {}
  }

  @Test("It has at most 200 lines")
  func length() {
    #expect(Self.readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
  }

  @Test(
    "Each file that it and its neighbors link to exists",
    arguments: ["README.md", "CONTRIBUTING.md", "Examples/README.md", "Benchmarks/README.md"]
  )
  func links(file: String) throws {
    let url = Sample.root.appending(path: file)
    let text = try String(contentsOf: url, encoding: .utf8)
    let targets =
      text.matches(of: /\]\(([^)\s#]+)/).map { String($0.1) }
      + text.matches(of: /(?:src|srcset)="([^"#]+)"/).map { String($0.1) }
    let missing = targets.filter { target in
      let path = url.deletingLastPathComponent().appending(path: target).path
      return !target.hasPrefix("http") && !FileManager.default.fileExists(atPath: path)
    }
    #expect(!targets.isEmpty)
    expectNoDifference(missing, [])
  }
}

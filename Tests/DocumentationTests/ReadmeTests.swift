import CustomDump
import Foundation
import LifecycleSources
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("What the README shows")
struct ReadmeTests {
  private static let readme = try! String(
    contentsOf: Sample.root.appending(path: "README.md"),
    encoding: .utf8
  )

  /// Tests compare its recordings with the programs.
  private static let examples = try! String(
    contentsOf: Sample.root.appending(path: "Examples/README.md"),
    encoding: .utf8
  )

  @Test("What it shows of the programs is recorded in the README of the examples")
  func recordings() throws {
    let examples = Self.examples
    let claims = try #require(Self.readme.firstMatch(of: /All \d+ claims hold\./)).0
    #expect(examples.contains(claims))
    let greeting = try #require(Self.readme.firstMatch(of: /Welcome back: away [0-9.]+ s/)).0
    #expect(examples.contains(greeting))
  }

  @Test("The calls that it counts are those of the tour")
  func calls() {
    let text = Self.readme.replacing("\n", with: " ")
    #expect(text.contains("the first screen has refreshed 6 times, the second once. After both"))
    #expect(text.contains("a return still refreshes the first 6 times, the second never"))
    #expect(Self.examples.contains(/calls for one return, while visible +6 +1\n/))
    #expect(Self.examples.contains(/calls for one return, after it disappeared +6 +0\n/))
  }

  @Test("Its figures are those of the saved comparison")
  func figures() throws {
    let url = Sample.root.appending(path: "Benchmarks/Results/comparison.md")
    let report = try String(contentsOf: url, encoding: .utf8)
    // The fourth column has the nanoseconds for 1,000 observers.
    let event = try #require(
      report.firstMatch(of: /\| lifecycle-bus token \|(?:[^|]+\|){3} ([0-9,]+) \|/)
    )
    let notification = try #require(
      report.firstMatch(of: /\| notification-center blocks \|(?:[^|]+\|){3} ([0-9,]+) \|/)
    )
    let shown = try #require(
      Self.readme.firstMatch(
        of: /1,000 closures in ([0-9.]+) µs, a notification in ([0-9.]+) µs/
      )
    )
    for (figure, measured) in [(shown.1, event.1), (shown.2, notification.1)] {
      let nanoseconds = try #require(Double(String(measured.filter { $0 != "," })))
      let digits = figure.split(separator: ".").dropFirst().first?.count ?? 0
      expectNoDifference(String(format: "%.\(digits)f", nanoseconds / 1000), String(figure))
    }
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

  @Test("Install has products and platforms of the manifest")
  func install() throws {
    let url = Sample.root.appending(path: "Package.swift")
    let manifest = try String(contentsOf: url, encoding: .utf8)
    let products = Self.readme.matches(of: /\.product\(name: "(\w+)", package: "([\w-]+)"\)/)
    #expect(!products.isEmpty)
    for product in products {
      #expect(manifest.contains(".library(name: \"\(product.1)\","))
      #expect(manifest.contains("  name: \"\(product.2)\","))
    }
    let platforms = Self.readme.matches(of: /\.\w+OS\(\.v\d+\)/)
    #expect(!platforms.isEmpty)
    for platform in platforms { #expect(manifest.contains(platform.0), "\(platform.0)") }
  }

  @Test("The versions that Getting started requires are those of the manifest, and the README's")
  func versions() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Sample.root.appending(path: path), encoding: .utf8)
    }
    let manifest = try text("Package.swift")
    let page = try text("Sources/ReactiveLifecycle/Documentation.docc/GettingStarted.md")
      .replacing("\n", with: " ")
    let tools = try #require(manifest.prefixMatch(of: /\/\/ swift-tools-version: (\d+\.\d+)\n/)).1
    #expect(Self.readme.contains("Swift \(tools) or later"))
    #expect(page.contains("requires Swift \(tools)."))
    let names = ["macCatalyst": "Mac Catalyst"]
    let list = try #require(manifest.firstMatch(of: /\n  platforms: \[((?s:.+?))\],\n/)).1
    let platforms = list.matches(of: /\.(\w+)\(\.v(\d+)\)/)
      .map { "\(names[String($0.1)] ?? String($0.1)) \($0.2)" }
    let required = try #require(page.firstMatch(of: /it also requires ([^:]+):/)).1
      .replacing(" or ", with: ", ").components(separatedBy: ", ")
    expectNoDifference(required, platforms)
  }

  @Test(
    "The model and its test compile with the modules that it says they import, and no other",
    .enabled(if: Compiler() != nil, "no swiftc on the search path"),
    .startsProcesses
  )
  func imports() throws {
    let pattern = /The model imports ([^;]+); the test imports ([^.]+) and\s+your module\./
    let sentence = try #require(Self.readme.firstMatch(of: pattern))
    func code(_ names: Substring, _ body: Substring) -> String {
      let modules = names.matches(of: /`(\w+)`/).map { "import \($0.1)\n" }
      return modules.joined() + body
    }
    let section = /## Test in virtual time\n+```swift\n((?s:.+?))```/
    let block = try #require(Self.readme.firstMatch(of: section)).1
    let test = try #require(block.firstRange(of: "@Test")).lowerBound
    let directory = TemporaryDirectory()
    func path(_ name: String, _ code: String) -> String {
      directory.write(code.utf8, to: name)
      return directory.path(name)
    }
    var tests: [String] = []
    #if os(Linux)
      // Elsewhere the compiler alone doesn't find Swift Testing.
      let suite = "@testable import Feed\n" + code(sentence.2, block[test...])
      tests = [path("FeedTests.swift", suite)]
    #endif
    let diagnostics = try #require(Compiler()).diagnostics(
      ofProgram: "Feed",
      files: [path("Feed.swift", code(sentence.1, block[..<test]))],
      tests: tests
    )
    expectNoDifference(diagnostics, [])
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

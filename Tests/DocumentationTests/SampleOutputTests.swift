import CustomDump
import Foundation
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a sample prints is what the text beside it says.
@Suite("Output of documentation samples")
@MainActor
struct SampleOutputTests {
  private let print = Printer()

  @Test("The first events of Getting started are printed as it quotes them")
  func gettingStarted() throws {
    firstEvents(print: print)
    try expectQuoted(in: "LifecycleCore/Documentation.docc/GettingStarted.md")
  }

  @Test("A leaked observer is printed as Scopes quotes it")
  func leak() throws {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope("list")
    bus.addObserver(in: scope, fileID: "App/ListScreen.swift", line: 12) { _ in }
    clock.advance(by: .seconds(90))
    liveSubscriptions(bus, print: print)
    try expectQuoted(in: "LifecycleCore/Documentation.docc/Scopes.md")
  }

  @Test("An event that an observer sends is delivered after the one in delivery, as quoted")
  func sending() throws {
    sendFromObserver(print: print)
    try expectQuoted(in: "LifecycleCore/Documentation.docc/WhereObserversRun.md")
  }

  @Test("The bus has the phases of the table in Several sources")
  func roles() throws {
    let article = "LifecycleCore/Documentation.docc/SeveralSources.md"
    expectNoDifference(
      try severalSources().map(\.rawValue),
      try row("the bus", of: "Sources/\(article)")
    )
  }

  @Test("Two scenes and their bus have the phases of the table in Scenes")
  func scenes() throws {
    let article = "Sources/ReactiveLifecycle/Documentation.docc/Scenes.md"
    let columns = try twoScenes()
    for (index, name) in ["application", "left scene", "right scene", "the bus"].enumerated() {
      expectNoDifference(columns.map { $0[index] }, try row(name, of: article))
    }
  }

  @Test("A nested scope is printed as ended after its parent's end")
  func nestedScope() {
    let bus = LifecycleBus()
    nestedScopes(bus, print: print)
    bus.send(.didBecomeActive)
    expectNoDifference(print.lines, ["scope \"request\" (ended)"])
  }

  @Test("The samples of clocks and timers print what their comments say")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func clocks() async throws {
    differenceSample(print: print)
    timerSample(trace: print)
    executorSample(trace: print)
    try await sleeperSample(trace: print)
    expectNoDifference(
      print.lines,
      [
        "90.0 seconds", "five seconds", "1.0 seconds", "2.0 seconds", "3.0 seconds", "one second",
        "two seconds",
      ]
    )
  }

  @Test("The stay of a manual clock has the durations of the sample")
  func stays() {
    let clock = stayWithClockSet()
    expectNoDifference(clock.continuous - ManualClock().continuous, .seconds(100))
    expectNoDifference(clock.now.timeAwake - ManualClock().now.timeAwake, .seconds(40))
    let shown = clock.now.timeSince1970 - ManualClock().now.timeSince1970
    expectNoDifference(shown, .seconds(100 - 3600))
  }

  @Test("A countdown shows 300 again at its start, and then 299")
  func countdown() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    var seconds: [Duration] = []
    let screen = RentalScreen(of: bus) { seconds.append($0) }
    clock.advance(by: .seconds(1))
    expectNoDifference(seconds, [.seconds(300), .seconds(300), .seconds(299)])
    withExtendedLifetime((bus, screen)) {}
  }

  @Test(
    "A countdown stored as in the article keeps its time and its end through each kill",
    arguments: [(.pause, 1400, 1400), (.catchUp, 900, 400)]
      as [(Countdown.BackgroundBehavior, Int, Int)]
  )
  func storedCountdown(
    _ behavior: Countdown.BackgroundBehavior,
    first: Int,
    second: Int
  ) throws {
    var rental: StoredRental?
    var notifications = 0
    let lifecycle = ScriptedLifecycle { process in
      let journal = try LifecycleJournal(
        at: "rental",
        of: process.bus,
        heartbeat: .seconds(10),
        fileSystem: process.fileSystem
      )
      let made = try StoredRental(
        .seconds(1500),
        inBackground: behavior,
        of: process.bus,
        in: journal,
        notify: { notifications += 1 }
      )
      process.keep(made)
      rental = made
    }
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(100)), .enterBackground)
    lifecycle.perform(.advance(by: .seconds(500)), .kill, .relaunch)
    expectNoDifference(rental?.countdown.remaining, .seconds(first))
    // Launched in the background, and killed there.
    lifecycle.perform(.advance(by: .seconds(500)), .kill, .relaunch, .becomeActive)
    expectNoDifference(rental?.countdown.remaining, .seconds(second))
    lifecycle.perform(.advance(by: .seconds(50)), .kill, .relaunch, .becomeActive)
    expectNoDifference(rental?.countdown.remaining, .seconds(second - 50))
    expectNoDifference(notifications, 0)
    // The end comes after the return, or while the process is away.
    lifecycle.perform(.enterBackground, .advance(by: .seconds(500)), .kill, .relaunch)
    lifecycle.perform(.becomeActive, .advance(by: .seconds(1400)))
    expectNoDifference(notifications, 1)
    lifecycle.perform(.kill, .relaunch, .becomeActive)
    expectNoDifference(rental?.countdown.state.status, .finished)
    expectNoDifference(notifications, 1)
  }

  @Test("The samples of in-memory doubles print what their comments say")
  func doubles() async throws {
    try inMemoryFileSystemSample(print: print)
    taskHostSample(print: print)
    await fetchHostSample(print: print)
    expectNoDifference(print.lines, ["killedInForeground", "true", "true"])
  }

  @Test("A recorded sequence has the phases up to the end of its bus")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func sequence() async throws {
    try await sequenceSample(print: print)
    expectNoDifference(print.lines, ["unknown", "background", "terminated"])
  }

  @Test("The findings of a recording are printed as the documentation quotes them")
  func findings() throws {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    let signals = TestSource("processSignals")
    let connection = try bus.connect(signals)
    for _ in 0...3 { signals.feed.send(.didBecomeActive) }
    let directory = TemporaryDirectory()
    try recorder.recording.write(to: directory.path("flight"))
    try findingsSample(path: directory.path("flight"), print: print)
    try expectQuoted(in: "LifecycleFlightRecording/FlightFinding.swift")
    withExtendedLifetime((connection, directory)) {}
  }

  @Test("The samples of replays hold for a recording in a file")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func replays() throws {
    let directory = TemporaryDirectory()
    try replaySamples(path: directory.path("report"))
    withExtendedLifetime(directory) {}
  }

  @Test("A transcript is printed as the documentation quotes it")
  func transcript() throws {
    let lifecycle = ScriptedLifecycle()
    let offer = Offer(on: lifecycle.bus)
    let remaining = lifecycle.recorder(of: Int.self, as: "remaining")
    let scope = LifecycleScope("screen")
    lifecycle.bus.addObserver(for: .didBecomeActive, in: scope) { _ in
      remaining.record(offer.remaining)
    }
    lifecycle.perform(
      .launch,
      .becomeActive,
      .background(for: .seconds(90), deviceAsleep: .seconds(60))
    )
    let lines = "\(lifecycle.transcript)".split(separator: "\n")
    for line in lines.drop(while: { !$0.hasPrefix("background") }) { print(line) }
    try expectQuoted(in: "LifecycleTesting/Recording/LifecycleTranscript.swift")
    scope.end()
  }

  @Test("Timelines: the picture is the one that TerminalTests expects")
  func timeline() throws {
    func lines(_ text: Substring) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let article = try Sample.text(
      "Sources/LifecycleTimelines/Documentation.docc/LifecycleTimelines.md"
    )
    let picture = try #require(article.firstMatch(of: /```text\n((?s:.+?))```/)).1
    let test = try Sample.text("Tests/ExampleTests/LifecycleMonitor/TerminalTests.swift")
    #expect(lines(test[...]).contains(lines(picture)))
  }

  /// Expects that what was printed is a `text` block of the file.
  private func expectQuoted(in path: String) throws {
    let lines = try Sample.text("Sources/\(path)").components(separatedBy: "\n").map { line in
      let line = line.trimmingCharacters(in: .whitespaces)
      return line.hasPrefix("/// ") ? String(line.dropFirst(4)) : line
    }
    let quoted = ["```text"] + print.lines + ["```"]
    #expect(lines.contains(quoted), "\(path) does not quote \(print.lines).")
  }

  /// The words of a row of a table in a `text` block, without its name.
  private func row(_ name: String, of path: String) throws -> [String] {
    let rows = try Sample.text(path).split(separator: "\n").filter { $0.hasPrefix("\(name)  ") }
    return rows.flatMap { $0.dropFirst(name.count).split(separator: " ").map(String.init) }
  }
}

/// The README, beside its samples.
@Suite("What the README says")
struct ReadmeTests {
  private static let readme = try! Sample.text("README.md")

  /// Tests compare its recordings with the programs.
  private static let examples = try! Sample.text("Examples/README.md")

  @Test("What the README quotes of the programs stands in the README of the examples")
  func recordings() throws {
    let claims = try #require(Self.readme.firstMatch(of: /All \d+ claims hold\./)).0
    #expect(Self.examples.contains(claims))
    let greeting = try #require(Self.readme.firstMatch(of: /Welcome back: away [0-9.]+ s/)).0
    #expect(Self.examples.contains(greeting))
  }

  @Test("Install names products and platforms of the manifest")
  func install() throws {
    let manifest = try Sample.text("Package.swift")
    let products = try #require(manifest.firstMatch(of: /products: \[((?s:.+?))\]\.map/)).1
    let named = Self.readme.matches(of: /\.product\(name: "(\w+)", package: "([\w-]+)"\)/)
    #expect(!named.isEmpty)
    for product in named {
      #expect(products.contains("\"\(product.1)\""), "\(product.1)")
      #expect(manifest.contains("  name: \"\(product.2)\","), "\(product.2)")
    }
    let platforms = Self.readme.matches(of: /\.\w+OS\(\.v\d+\)/)
    #expect(!platforms.isEmpty)
    for platform in platforms { #expect(manifest.contains(platform.0), "\(platform.0)") }
  }
}

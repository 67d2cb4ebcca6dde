import CustomDump
import Foundation
import JobControl
import LifecycleSupport
import LifecycleTesting
import LifecycleTestingTraits
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("The trait .lifecycle")
struct LifecycleTraitTests {
  @Test(
    "With the trait, the application's bus is that of a script in virtual time",
    .lifecycle
  )
  @MainActor
  func ownBus() {
    let lifecycle = ScriptedLifecycle.application
    let bus = LifecycleBus.application
    #expect(bus === lifecycle.bus)
    #expect(bus === LifecycleBus.application)
    let scope = LifecycleScope()
    let stays = Collector<Duration>()
    bus.onReturn(in: scope) { stays($0.timeAway) }
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    expectNoDifference(stays.values, [.seconds(90)])
    #expect(lifecycle.clock.elapsed == .seconds(90))
    expectNoDifference(bus.diagnostics.participants.flatMap(\.sources).count, 1)
  }

  @Test("After a relaunch, the application's bus is that of the new process", .lifecycle)
  @MainActor
  func relaunch() {
    let lifecycle = ScriptedLifecycle.application
    let first = LifecycleBus.application
    lifecycle.perform(.launch, .becomeActive, .kill, .relaunch)
    #expect(LifecycleBus.application !== first)
    #expect(LifecycleBus.application === lifecycle.bus)
  }

  @Test("A test off the main actor has its own bus, too, and so have its tasks", .lifecycle)
  func offMainActor() async {
    let bus = LifecycleBus.application
    await Task { #expect(LifecycleBus.application === bus) }.value
    await MainActor.run { #expect(ScriptedLifecycle.application.bus === bus) }
    #expect(bus.phase == .unknown)
  }

  private static let buses = Locked<[ObjectIdentifier: LifecycleBus]>([:])

  @Test("Each case of a test has its own bus", .lifecycle, arguments: 0..<6)
  func cases(_ number: Int) async {
    let bus = LifecycleBus.application
    await MainActor.run { _ = bus.send(number % 2 == 0 ? .didBecomeActive : .didEnterBackground) }
    await Task.yield()
    #expect(LifecycleBus.application === bus)
    #expect(bus.phase == (number % 2 == 0 ? .active : .background))
    let earlier = Self.buses.withLock { $0.updateValue(bus, forKey: ObjectIdentifier(bus)) }
    #expect(earlier == nil)
  }

  @Test("Without the trait, using the script of the application is reported")
  @MainActor
  func withoutTheTrait() {
    expectReportedIssue("Add @Test(.lifecycle) or @Suite(.lifecycle).") {
      _ = ScriptedLifecycle.application
    }
  }
}

@Suite("The trait .lifecycle on a suite", .lifecycle)
struct LifecycleSuiteTraitTests {
  private static let buses = Locked<[ObjectIdentifier: LifecycleBus]>([:])

  private let initial = LifecycleBus.application

  @Test("Each test of the suite has its own bus, already in the suite's init", arguments: 0..<3)
  func each(_ number: Int) {
    #expect(initial === LifecycleBus.application)
    let earlier = Self.buses.withLock { $0.updateValue(initial, forKey: ObjectIdentifier(initial)) }
    #expect(earlier == nil)
  }

  @Suite struct Nested {
    @Test("The tests of a nested suite have their own bus")
    @MainActor
    func nested() {
      #expect(LifecycleBus.application === ScriptedLifecycle.application.bus)
    }
  }

  @Test("The trait of a test replaces the bus of its suite", .lifecycle)
  @MainActor
  func innermost() {
    #expect(LifecycleBus.application === ScriptedLifecycle.application.bus)
  }
}

/// Tests that fail, in a process of their own, and what they leave.
@Suite(
  "The trait .lifecycle: attachments of a failed test",
  .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "needs /proc"),
  .startsProcesses
)
struct AttachmentTests {
  @Test("A test that fails leaves transcripts and timelines of its scripts; no other leaves any")
  func attachments() throws {
    let directory = TemporaryDirectory()
    let run = try runProgram(
      "/usr/bin/env",
      ["\(childVariable)=1", currentExecutablePath(), "--testing-library", "swift-testing"]
        + ["--filter", "AttachmentChild/", "--attachments-path", directory.path]
    )
    #expect(run.status == .exited(1), "\(run.text)")
    let transcripts = directory.names.filter { $0.contains("transcript") }
    expectNoDifference(
      transcripts.map {
        $0.replacing("transcript", with: "timeline").replacing("txt", with: "html")
      },
      directory.names.filter { $0.contains("timeline") }
    )
    func text(_ name: String) -> String { String(decoding: directory.bytes(name), as: UTF8.self) }
    expectNoDifference(
      transcripts.filter { !$0.hasPrefix("manyScripts ") },
      [
        "failedExpectation transcript.txt", "otherScripts transcript 2.txt",
        "otherScripts transcript.txt", "reportedIssue transcript.txt", "thrownError transcript.txt",
      ]
    )
    expectNoDifference(
      text("thrownError transcript.txt"),
      """
      launch
        [0 s background] didFinishLaunching
      becomeActive
        [0 s inactive] willEnterForeground
        [0 s active] didBecomeActive

      """
    )
    let page = text("thrownError timeline.html")
    #expect(page.contains("<html") && page.contains("didBecomeActive"))
    // Also of a script that was released.
    expectNoDifference(
      text("otherScripts transcript 2.txt"),
      """
      launch
        [0 s background] didFinishLaunching
      kill
      relaunch
        [0 s background] didFinishLaunching

      """
    )
    // The latest ten, and the application.
    #expect(!text("manyScripts transcript.txt").contains("advance"))
    for number in 2...11 {
      #expect(text("manyScripts transcript \(number).txt").contains("(by: \(number) s)"))
    }
    expectNoDifference(transcripts.count, 16)
  }
}

private let childVariable = "LIFECYCLE_ATTACHMENT_CHILD"

/// Run by the test above alone.
@Suite(.lifecycle, .enabled(if: ProcessInfo.processInfo.environment[childVariable] != nil))
@MainActor
struct AttachmentChild {
  private struct Failure: Error {}

  private func launch() {
    ScriptedLifecycle.application.perform(.launch, .becomeActive)
  }

  @Test func failedExpectation() {
    launch()
    #expect(LifecycleBus.application.phase == .background)
  }

  @Test func thrownError() throws {
    launch()
    throw Failure()
  }

  @Test func reportedIssue() {
    launch()
    expectLifecycle(ScriptedLifecycle.application, matches: "launch")
  }

  @Test func otherScripts() {
    // The application is not launched.
    let script = ScriptedLifecycle()
    script.perform(.launch)
    released()
    Issue.record("an issue")
  }

  private func released() {
    let script = ScriptedLifecycle()
    script.perform(.launch, .kill, .relaunch)
  }

  @Test func manyScripts() {
    ScriptedLifecycle.application.perform(.launch)
    for number in -3...11 {
      let script = ScriptedLifecycle()
      script.perform(.launch, .advance(by: .seconds(max(number, 1))))
    }
    Issue.record("an issue")
  }

  @Test func passes() { launch() }

  @Test func knownIssue() {
    launch()
    withKnownIssue { Issue.record("a known issue") }
  }

  @Test func launchedNothing() { Issue.record("an issue") }
}
